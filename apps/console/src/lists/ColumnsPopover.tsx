/**
 * The choice of columns, open at first.
 */
import { Checkbox, Stack } from "@mantine/core"
import { useState } from "react"
import type { Target } from "../shell/OpenedMenu.tsx"
import { listTexts as texts } from "../texts/en/lists.ts"
import { ButtonPopover } from "./ButtonPopover.tsx"
import type { Column } from "./DataTable.tsx"

export interface ColumnsProps {
  readonly target: Target
  /** All columns; the first one cannot be hidden. */
  readonly columns: ReadonlyArray<Pick<Column<never>, "key" | "label">>
  readonly keys: ReadonlyArray<string>
  readonly onChange: (keys: ReadonlyArray<string>) => void
}

export const ColumnsPopover = ({ columns, keys, onChange, target }: ColumnsProps) => {
  const [opened, setOpened] = useState(true)
  return (
    <ButtonPopover target={target} label={texts.columnsHint} opened={opened} onChange={setOpened}>
      <Stack gap="xs">
        {columns.slice(1).map(({ key, label }) => (
          <Checkbox
            key={key}
            label={label}
            checked={keys.includes(key)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...keys, key] : keys.filter((kept) => kept !== key))
            }
          />
        ))}
      </Stack>
    </ButtonPopover>
  )
}
