/**
 * The page of a list: its table, or what stands for it, and the steps to other pages.
 */
import { Paper, Skeleton } from "@mantine/core"
import type { ReactNode } from "react"
import { Failure } from "../shell/Failure.tsx"
import { DataTable, type DataTableProps, type ListOrder } from "./DataTable.tsx"
import { ListPages } from "./ListPages.tsx"
import type { ListQuery } from "./useListQuery.ts"

interface Props<Item, Sort extends string>
  extends Omit<DataTableProps<Item, Sort>, "items" | "isOutdated" | "order" | "onOrder"> {
  readonly list: Omit<ListQuery<unknown, Item>, "change" | "filters"> & {
    readonly filters: ListOrder<Sort>
    readonly change: (order: ListOrder<Sort>) => void
  }
  /** Instead of a table without rows. */
  readonly empty: ReactNode
  /** Until the first page has been read. */
  readonly waiting?: ReactNode
}

export const ListTable = <Item extends { readonly id: string }, Sort extends string>(props: Props<Item, Sort>) => {
  const { empty, list, waiting = <Skeleton height={320} />, ...table } = props
  const { change, error, filters, isOutdated, items, retry } = list
  const failure = error === null ? null : <Failure error={error} onRetry={retry} />
  if (items === undefined) return failure ?? waiting
  return (
    <>
      {failure}
      {items.length === 0 && !isOutdated ? (
        empty
      ) : (
        <Paper withBorder>
          <DataTable {...table} items={items} isOutdated={isOutdated} order={filters} onOrder={change} />
        </Paper>
      )}
      <ListPages list={list} />
    </>
  )
}

interface CountTexts {
  readonly count: (count: number) => string
  readonly countOfPage: (count: number) => string
}

/** Number of items, of the list or of its page; empty while another page is read. */
export const countOf = (list: Omit<ListQuery<unknown, unknown>, "change" | "filters">, texts: CountTexts): string => {
  const { cursor, isOutdated, items, nextCursor } = list
  if (items === undefined || isOutdated) return ""
  return cursor === "" && nextCursor === null ? texts.count(items.length) : texts.countOfPage(items.length)
}
