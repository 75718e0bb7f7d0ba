/**
 * One page of a list from the server. While another page or other filters are read, the last page
 * stays.
 */
import { hashKey, keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query"
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import { useLocation } from "react-router"
import { hasFault } from "../api/failures.ts"
import { queryClient } from "../api/queries.ts"
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

export interface ListOptions<Filters, Item> extends FilterCodec<Filters> {
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

/** The page of a query string, such as `?unit=MW`. */
const listPageQuery = <Filters, Item>(options: ListOptions<Filters, Item>, search: string) => {
  const { isFor = () => true, key, read, readPage } = options
  const parameters = new URLSearchParams(search)
  const cursor = parameters.get("cursor") ?? ""
  const filters = read(parameters)
  return queryOptions({
    queryKey: [...key, filters, cursor],
    queryFn: ({ signal }) => readPage(filters, { limit: pageSize, ...(cursor === "" ? {} : { cursor }) }, { signal }),
    enabled: isFor(filters),
    // Each search leaves an entry; a page that waits for a login reads its list again.
    gcTime: 300_000
  })
}

export const prefetchList = <Filters, Item>(options: ListOptions<Filters, Item>, search: string): void => {
  const query = listPageQuery(options, search)
  if (query.enabled === true) void queryClient.prefetchQuery(query)
}

export const useListQuery = <Filters, Item>(options: ListOptions<Filters, Item>): ListQuery<Filters, Item> => {
  const address = useListAddress(options)
  const { search } = useLocation()
  const settledSearch = useSettled(search, options.searchOf(address.filters))
  const query = listPageQuery(options, settledSearch)
  const { data, error, isPlaceholderData, refetch } = useQuery({ ...query, placeholderData: keepPreviousData })
  const key = isPlaceholderData ? "" : hashKey(query.queryKey)
  const answered = useMemo(() => ({ page: data, key }), [data, key])
  // Rows are rendered in pieces, so that input is handled meanwhile. Count and pager follow them.
  const shown = useDeferredValue(answered)
  // The cursor of an old link with filters that were changed by hand.
  const hasWrongCursor = hasFault(error, "invalid_cursor") && address.cursor !== ""
  const latest = useRef(address)
  useEffect(() => {
    latest.current = address
    if (hasWrongCursor) latest.current.change({})
  })
  return {
    ...address,
    items: shown.page?.data,
    nextCursor: shown.page?.nextCursor ?? null,
    // The cursor of items that the search has left belongs to other filters.
    isOutdated: shown.key !== hashKey(listPageQuery(options, search).queryKey),
    error: hasWrongCursor ? null : error,
    retry: () => void refetch()
  }
}
