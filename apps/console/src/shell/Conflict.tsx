/**
 * Another user has saved the same resource meanwhile: asks which values stay.
 */
import { Alert, Button, Group, Stack } from "@mantine/core"
import type { ReactNode } from "react"

interface Props {
  readonly texts: { readonly conflictTitle: string; readonly keepMine: string; readonly takeTheirs: string }
  readonly onKeepMine: () => void
  readonly onTakeTheirs: () => void
  readonly children: ReactNode
}

export const Conflict = ({ children, onKeepMine, onTakeTheirs, texts }: Props) => (
  <Alert role="alert" color="yellow" title={texts.conflictTitle}>
    <Stack gap="xs" align="flex-start">
      {children}
      <Group gap="xs">
        <Button size="xs" onClick={onKeepMine}>
          {texts.keepMine}
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          {texts.takeTheirs}
        </Button>
      </Group>
    </Stack>
  </Alert>
)
