/**
 * The content of a tab of the company profile, below a description and buttons.
 */
import { Group, Text } from "@mantine/core"
import type { ReactNode } from "react"

interface Props {
  readonly description: string
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

export const CompanyTab = ({ actions, children, description }: Props) => (
  <>
    <Group justify="space-between" gap="sm" mih={36}>
      <Text size="sm" c="dimmed" maw="80ch" flex="1 1 280px">
        {description}
      </Text>
      {actions}
    </Group>
    {children}
  </>
)
