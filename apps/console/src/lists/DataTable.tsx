/**
 * One page of a list as a table with order, selection and a menu per row. Its cells are elements of
 * HTML: components of Mantine took four times as long for 50 rows.
 */
import { VisuallyHidden } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { memo, type ReactNode, useMemo } from "react"
import { IconArrowDown, IconArrowUp } from "../shell/icons.ts"
import { listTexts as texts } from "../texts/en/lists.ts"
import classes from "./DataTable.module.css"
import type { Selection } from "./useSelection.ts"

export interface Column<Item, Sort extends string = string> {
  readonly key: string
  readonly label: string
  readonly cell: (item: Item) => ReactNode
  /** Order by this column, as the API names it. */
  readonly sort?: Sort
  readonly numeric?: boolean
  /** Left out on narrow screens. */
  readonly wide?: boolean
}

/** Order of the list. */
export interface ListOrder<Sort extends string> {
  readonly sort: Sort
  readonly descending: boolean
}

interface Selecting<Item> extends Pick<Selection<Item>, "mark"> {
  readonly items: ReadonlyMap<string, unknown>
  readonly labelOf: (item: Item) => string
  readonly pageLabel: string
}

export interface DataTableProps<Item, Sort extends string> {
  readonly label: string
  /** The first column names the item. */
  readonly columns: ReadonlyArray<Column<Item, Sort>>
  readonly items: ReadonlyArray<Item>
  readonly order?: ListOrder<Sort>
  /** Without it the order cannot be changed. */
  readonly onOrder?: ((order: ListOrder<Sort>) => void) | undefined
  readonly selecting?: Selecting<Item> | undefined
  readonly actionsOf?: ((item: Item) => ReactNode) | undefined
  /** Dims items of other filters or of another page. */
  readonly isOutdated?: boolean
}

const placeOf = ({ numeric = false }: Pick<Column<never>, "numeric">) => (numeric ? classes.number : classes.text)

const Heading = <Item, Sort extends string>({
  column,
  onOrder,
  order
}: Pick<DataTableProps<Item, Sort>, "order" | "onOrder"> & { readonly column: Column<Item, Sort> }) => {
  const { label, numeric = false, sort } = column
  if (sort === undefined || order === undefined || onOrder === undefined)
    return <th className={placeOf(column)}>{label}</th>
  const active = order.sort === sort
  const Arrow = active && order.descending ? IconArrowDown : IconArrowUp
  return (
    <th className={placeOf(column)} aria-sort={active ? (order.descending ? "descending" : "ascending") : "none"}>
      <button
        type="button"
        className={classes.heading}
        data-end={numeric || undefined}
        onClick={() => onOrder({ sort, descending: active && !order.descending })}
      >
        {label}
        <Arrow size={14} aria-hidden className={classes.arrow} data-active={active || undefined} />
      </button>
    </th>
  )
}

const SelectPage = <Item extends { readonly id: string }>({
  items,
  selecting
}: {
  readonly items: ReadonlyArray<Item>
  readonly selecting: Selecting<Item>
}) => {
  const count = items.filter(({ id }) => selecting.items.has(id)).length
  return (
    <input
      type="checkbox"
      className={classes.check}
      aria-label={selecting.pageLabel}
      checked={count > 0 && count === items.length}
      ref={(input) => {
        if (input !== null) input.indeterminate = count > 0 && count < items.length
      }}
      onChange={(event) => selecting.mark(items, event.currentTarget.checked)}
    />
  )
}

interface RowProps<Item> extends Pick<DataTableProps<Item, string>, "actionsOf"> {
  readonly item: Item
  readonly columns: ReadonlyArray<Column<Item>>
  readonly isSelected: boolean
  readonly labelOf: Selecting<Item>["labelOf"] | undefined
  readonly mark: Selecting<Item>["mark"] | undefined
}

const EachRow = <Item extends { readonly id: string }>(props: RowProps<Item>) => {
  const { actionsOf, columns, isSelected, item, labelOf, mark } = props
  return (
    <tr data-selected={isSelected || undefined}>
      {mark !== undefined && (
        <td>
          <input
            type="checkbox"
            className={classes.check}
            aria-label={labelOf?.(item)}
            checked={isSelected}
            onChange={(event) => mark([item], event.currentTarget.checked)}
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className={placeOf(column)}>
          {column.cell(item)}
        </td>
      ))}
      {actionsOf !== undefined && <td className={classes.actions}>{actionsOf(item)}</td>}
    </tr>
  )
}

// The type of `memo` has no parameters.
const Row = memo(EachRow) as typeof EachRow

export const DataTable = <Item extends { readonly id: string }, Sort extends string>(
  props: DataTableProps<Item, Sort>
) => {
  const { actionsOf, columns: all, isOutdated = false, items, label, onOrder, order, selecting } = props
  // Read before the first render, which would build the cells.
  const isNarrow = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false })
  const columns = useMemo(() => all.filter(({ wide = false }) => !(wide && isNarrow)), [all, isNarrow])
  return (
    <table aria-label={label} aria-busy={isOutdated} data-outdated={isOutdated || undefined} className={classes.table}>
      <thead>
        <tr>
          {selecting !== undefined && (
            <th className={classes.select}>
              <SelectPage items={items} selecting={selecting} />
            </th>
          )}
          {columns.map((column) => (
            <Heading key={column.key} column={column} {...(order && { order })} onOrder={onOrder} />
          ))}
          {actionsOf !== undefined && (
            <th className={classes.actions}>
              <VisuallyHidden>{texts.actions}</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            columns={columns}
            actionsOf={actionsOf}
            isSelected={selecting?.items.has(item.id) ?? false}
            labelOf={selecting?.labelOf}
            mark={selecting?.mark}
          />
        ))}
      </tbody>
    </table>
  )
}
