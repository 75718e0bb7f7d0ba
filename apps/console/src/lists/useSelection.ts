/**
 * Selected items of a list. They stay selected on other pages and when a filter hides them.
 */
import { useCallback, useState } from "react"

export interface Selection<Item> {
  readonly items: ReadonlyMap<string, Item>
  readonly mark: (items: ReadonlyArray<Item>, selected: boolean) => void
  readonly clear: () => void
  /** True once something has been selected. */
  readonly wasUsed: boolean
}

export const useSelection = <Item extends { readonly id: string }>(): Selection<Item> => {
  const [items, setItems] = useState<ReadonlyMap<string, Item>>(new Map())
  const [wasUsed, setWasUsed] = useState(false)
  const mark = useCallback((marked: ReadonlyArray<Item>, selected: boolean) => {
    setWasUsed(true)
    setItems((before) => {
      const after = new Map(before)
      for (const item of marked) selected ? after.set(item.id, item) : after.delete(item.id)
      return after
    })
  }, [])
  return { items, mark, clear: () => setItems(new Map()), wasUsed }
}
