/**
 * The frame of a page without navigation: login, links, the demanded second factor.
 */
import { Center, Group, Paper, Stack, Text, Title } from "@mantine/core"
import type { ReactNode } from "react"
import { shellTexts } from "../texts/en/shell.ts"
import { ColourSchemeMenu } from "./ColourSchemeMenu.tsx"
import icon from "./icon.svg"
import classes from "./Screen.module.css"

interface Props {
  readonly title: string
  /** Width of the content in pixels. */
  readonly width?: number
  readonly children: ReactNode
}

export const Screen = ({ children, title, width = 380 }: Props) => (
  <Center component="main" className={classes.page}>
    <title>{shellTexts.pageTitle(title)}</title>
    <Stack w="100%" maw={width}>
      <Group justify="space-between">
        <Group gap="xs">
          <img src={icon} alt="" width={32} height={32} />
          <Text fw={600} size="lg">
            {shellTexts.product}
          </Text>
        </Group>
        <ColourSchemeMenu />
      </Group>
      <Paper withBorder p="lg">
        <Stack>
          <Title order={1}>{title}</Title>
          {children}
        </Stack>
      </Paper>
    </Stack>
  </Center>
)
