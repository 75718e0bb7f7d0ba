/**
 * One page of a list from the server. While another page or other filters are read, the last page
 * stays.
 */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { useLocation } from "react-router"
import { isProblem } from "../api/failures.ts"
import { type FilterCodec, type ListAddress, useListAddress } from "./useListAddress.ts"

export const pageSize = 50

export interface Paging {
  readonly limit: number
  /** Absent for the first page. */
  readonly cursor?: string
}

interface AnsweredPage<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

interface Options<Filters, Item> extends FilterCodec<Filters> {
  /** Beginning of the cache key, such as `["sites", "list"]`; to invalidate after changes. */
  readonly key: ReadonlyArray<string>
  /** Text of the search box among the filters. */
  readonly searchOf: (filters: Filters) => string
  /** False for filters of another list on the same page; nothing is read then. */
  readonly isFor?: (filters: Filters) => boolean
  readonly readPage: (
    filters: Filters,
    paging: Paging,
    options: { readonly signal: AbortSignal }
  ) => Promise<AnsweredPage<Item>>
}

export interface ListQuery<Filters, Item> extends ListAddress<Filters> {
  /** Undefined until the first page has been read. */
  readonly items: ReadonlyArray<Item> | undefined
  readonly nextCursor: string | null
  /** True while the shown items belong to other filters or to another page. */
  readonly isOutdated: boolean
  readonly error: Error | null
  readonly retry: () => void
}

const typingDelay = 200

/** The text, except while the search changes: then the text of before. */
const useSettled = (text: string, search: string): string => {
  const [settled, setSettled] = useState({ text, search })
  const typing = settled.search !== search
  if (!typing && settled.text !== text) setSettled({ text, search })
  useEffect(() => {
    if (!typing) return
    const timer = setTimeout(() => setSettled({ text, search }), typingDelay)
    return () => clearTimeout(timer)
  }, [typing, text, search])
  return typing ? settled.text : text
}

export const useListQuery = <Filters, Item>(options: Options<Filters, Item>): ListQuery<Filters, Item> => {
  const { isFor = () => true, key, read, readPage, searchOf } = options
  const address = useListAddress(options)
  const { search } = useLocation()
  const settledSearch = useSettled(search, searchOf(address.filters))
  const settled = new URLSearchParams(settledSearch)
  const cursor = settled.get("cursor") ?? ""
  const filters = read(settled)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [...key, filters, cursor],
    queryFn: ({ signal }) => readPage(filters, { limit: pageSize, ...(cursor === "" ? {} : { cursor }) }, { signal }),
    enabled: isFor(filters),
    placeholderData: keepPreviousData,
    // Each search leaves an entry; a page that waits for a login reads its list again.
    gcTime: 300_000
  })
  // The cursor of an old link, whose filters were changed by hand.
  const hasWrongCursor = isProblem(error, "invalid_cursor") && address.cursor !== ""
  const latest = useRef(address)
  useEffect(() => {
    latest.current = address
    if (hasWrongCursor) latest.current.change({})
  })
  return {
    ...address,
    items: data?.data,
    nextCursor: data?.nextCursor ?? null,
    // The cursor of items that the search has left belongs to other filters.
    isOutdated: isPlaceholderData || settledSearch !== search,
    error: hasWrongCursor ? null : error,
    retry: () => void refetch()
  }
}
