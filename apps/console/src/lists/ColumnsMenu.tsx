/**
 * The columns of a table: those that the address names, or those that the user chose last in this browser.
 */
import { Button } from "@mantine/core"
import { cloneElement, useMemo, useState } from "react"
import { useLocation, useNavigate } from "react-router"
import { IconColumns3 } from "../shell/icons.ts"
import { lazily } from "../shell/lazily.tsx"
import { listTexts as texts } from "../texts/en/lists.ts"
import type { ColumnsProps } from "./ColumnsPopover.tsx"
import type { Column } from "./DataTable.tsx"
import { columnsIn, withColumns } from "./useListAddress.ts"
import { useStored } from "./useStored.ts"

const isName = (value: unknown): value is string => typeof value === "string"

/** The shown ones of these columns; the first one always is. `shown` is the default. */
export const useColumns = <Item, Sort extends string>(
  name: string,
  columns: ReadonlyArray<Column<Item, Sort>>,
  shown: ReadonlyArray<string>
) => {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const [own, setOwn] = useStored(`${name} columns`, (stored) =>
    Array.isArray(stored) ? stored.filter(isName) : shown
  )
  const keys = useMemo(() => columnsIn(search) ?? own, [search, own])
  const setKeys = (chosen: ReadonlyArray<string>) => {
    setOwn(chosen)
    void navigate({ search: withColumns(location.search, chosen) }, { replace: true, preventScrollReset: true, state })
  }
  const chosen = useMemo(() => columns.filter(({ key }, index) => index === 0 || keys.includes(key)), [columns, keys])
  return { keys, setKeys, columns: chosen }
}

const ColumnsPopover = lazily<ColumnsProps>(
  async () => (await import("./ColumnsPopover.tsx")).ColumnsPopover,
  ({ target }) => target
)

export const ColumnsMenu = (props: Omit<ColumnsProps, "target">) => {
  const [isMade, setMade] = useState(false)
  const target = (
    <Button size="xs" variant="default" leftSection={<IconColumns3 size={16} aria-hidden />}>
      {texts.columns}
    </Button>
  )
  if (isMade) return <ColumnsPopover {...props} target={target} />
  return cloneElement(target, { onClick: () => setMade(true) })
}
