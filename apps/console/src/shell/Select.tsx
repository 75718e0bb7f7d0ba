/** Field with a list of choices. */
import { Select as MantineSelect, type SelectProps } from "@mantine/core"
import { useLateChoices } from "./useLateChoices.ts"

export const Select = (props: SelectProps) => <MantineSelect {...props} {...useLateChoices(props)} />
