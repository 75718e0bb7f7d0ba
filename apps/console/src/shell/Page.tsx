/**
 * The frame of a page: title, actions, tabs and content.
 */
import { Box, Group, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { shellTexts } from "../texts/en/shell.ts"

interface PageProps {
  /** Title of the window, and the heading unless there is another one. */
  readonly title: string
  readonly heading?: string
  /** One sentence on what the page is for. */
  readonly description?: ReactNode
  /** Buttons, at the right of the title where there is room. */
  readonly actions?: ReactNode
  readonly tabs?: ReactNode
  readonly children?: ReactNode
}

export const Page = ({ actions, children, description, heading, tabs, title }: PageProps) => (
  <Stack gap="lg">
    <title>{shellTexts.pageTitle(title)}</title>
    <Group justify="space-between" align="flex-start" gap="sm" mih={36}>
      {/* Names can be long, and have no place to break at. */}
      <Box style={{ overflowWrap: "anywhere" }}>
        <Title order={1}>{heading ?? title}</Title>
        {description !== undefined && (
          <Text c="dimmed" maw="70ch">
            {description}
          </Text>
        )}
      </Box>
      {actions}
    </Group>
    {tabs}
    {children}
  </Stack>
)
