/**
 * Chooses the columns of a table. The choice is stored per user and organisation in the browser.
 */
import { Button, Checkbox, Popover, Stack } from "@mantine/core"
import { IconColumns3 } from "../shell/icons.ts"
import { listTexts as texts } from "../texts/lists.ts"
import type { Column } from "./DataTable.tsx"
import { useStored } from "./useStored.ts"

const isName = (value: unknown): value is string => typeof value === "string"

/** The shown ones of these columns; the first one always is. `shown` is the default. */
export const useColumns = <Item, Sort extends string>(
  name: string,
  columns: ReadonlyArray<Column<Item, Sort>>,
  shown: ReadonlyArray<string>
) => {
  const [keys, setKeys] = useStored(`${name} columns`, (stored) =>
    Array.isArray(stored) ? stored.filter(isName) : shown
  )
  return { keys, setKeys, columns: columns.filter(({ key }, index) => index === 0 || keys.includes(key)) }
}

interface Props {
  /** All columns; the first one cannot be hidden. */
  readonly columns: ReadonlyArray<Pick<Column<never>, "key" | "label">>
  readonly keys: ReadonlyArray<string>
  readonly onChange: (keys: ReadonlyArray<string>) => void
}

export const ColumnsMenu = ({ columns, keys, onChange }: Props) => (
  <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
    <Popover.Target>
      <Button size="xs" variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
        {texts.columns}
      </Button>
    </Popover.Target>
    <Popover.Dropdown aria-label={texts.columnsHint}>
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
    </Popover.Dropdown>
  </Popover>
)
