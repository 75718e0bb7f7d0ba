/**
 * A part of a page with a heading.
 */
import { Group, Paper, Stack, Title } from "@mantine/core"
import { type ReactNode, useId } from "react"
import classes from "./Section.module.css"

interface Props {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export const Section = ({ actions, children, title }: Props) => {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} className={classes.section}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} id={id}>
            {title}
          </Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Paper>
  )
}
