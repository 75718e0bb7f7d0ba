/**
 * The choice of columns, open at first.
 */
import { Checkbox, Stack } from "@mantine/core"
import { useState } from "react"
import { listTexts as texts } from "../texts/lists.ts"
import { ButtonPopover } from "./ButtonPopover.tsx"
import type { ColumnsProps } from "./ColumnsMenu.tsx"

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
