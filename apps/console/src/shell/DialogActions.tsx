/**
 * Buttons at the end of a dialog. They stay in view while its fields are scrolled.
 */
import { Group, type GroupProps } from "@mantine/core"
import classes from "./DialogActions.module.css"

export const DialogActions = (props: GroupProps) => (
  <Group justify="flex-end" gap="sm" {...props} className={classes.actions} />
)
