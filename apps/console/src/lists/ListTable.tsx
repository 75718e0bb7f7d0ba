/**
 * The page of a list: its table, or what stands for it, and the steps to other pages.
 */
import { Paper, Skeleton } from "@mantine/core"
import type { ReactNode } from "react"
import { Failure } from "../shell/Failure.tsx"
import { listTexts } from "../texts/en/lists.ts"
import { DataTable, type DataTableProps, type ListOrder } from "./DataTable.tsx"
import { ListPages } from "./ListPages.tsx"
import { type ListQuery, pageSize } from "./useListQuery.ts"

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

type Counted = Pick<ListQuery<unknown, unknown>, "cursor" | "isOutdated" | "items" | "nextCursor" | "pagesBefore">

/**
 * Number of items, with their place when there are several pages. Without a known total it is that of
 * the page. Empty while another page is read.
 */
export const countOf = (list: Counted, texts: CountTexts, total?: number): string => {
  const { cursor, isOutdated, items, nextCursor, pagesBefore } = list
  if (items === undefined || isOutdated) return ""
  if (cursor === "" && nextCursor === null) return texts.count(items.length)
  const before = (pagesBefore ?? 0) * pageSize
  const last = before + items.length
  // A total that is older than the list.
  if (total === undefined || total < last) return texts.countOfPage(items.length)
  if (pagesBefore === undefined || items.length === 0) return texts.count(total)
  return listTexts.placed(texts.count(total), before + 1, last)
}
