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
  // The address, which `keys` are read from, follows a click with a delay.
  const [chosen, setChosen] = useState(keys)
  const open = (isOpen: boolean) => {
    setChosen(keys)
    setOpened(isOpen)
  }
  const choose = (changed: ReadonlyArray<string>) => {
    setChosen(changed)
    onChange(changed)
  }
  return (
    <ButtonPopover target={target} label={texts.columnsHint} opened={opened} onChange={open}>
      <Stack gap="xs">
        {columns.slice(1).map(({ key, label }) => (
          <Checkbox
            key={key}
            label={label}
            checked={chosen.includes(key)}
            onChange={(event) =>
              choose(event.currentTarget.checked ? [...chosen, key] : chosen.filter((kept) => kept !== key))
            }
          />
        ))}
      </Stack>
    </ButtonPopover>
  )
}
