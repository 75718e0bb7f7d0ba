/**
 * The values by which items are sorted.
 */
import { type DateTime, Schema } from "effect"
import { CalendarDate } from "../input/CalendarDate.ts"
import { foldText } from "../input/FoldedText.ts"
import type { SortValue } from "./Cursor.ts"

/**
 * One order of a list. `isValue` refuses values of made-up cursors, which a store could not
 * compare.
 */
export interface SortKey<Item> {
  readonly valueIn: (item: Item) => SortValue
  readonly isValue: (value: SortValue) => boolean
}

/** All orders of a list. `createdAt` is the order of ids and has no value. */
export type SortKeys<Item, By extends string> = { readonly [Name in By]: SortKey<Item> | null }

export const byText = <Item>(textOf: (item: Item) => string): SortKey<Item> => ({
  valueIn: (item) => foldText(textOf(item)),
  isValue: (value) => typeof value === "string" && !value.includes("\0")
})

export const byNumber = <Item>(valueIn: (item: Item) => number): SortKey<Item> => ({
  valueIn,
  isValue: (value) => typeof value === "number"
})

const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export const byInstant = <Item>(instantOf: (item: Item) => DateTime.Utc): SortKey<Item> => ({
  valueIn: (item) => instantOf(item).epochMilliseconds,
  isValue: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= lastInstant
})

const isDay = Schema.is(CalendarDate)

export const byDay = <Item>(valueIn: (item: Item) => CalendarDate | null): SortKey<Item> => ({
  valueIn,
  isValue: (value) => value === null || isDay(value)
})
