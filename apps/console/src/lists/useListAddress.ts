/**
 * Filters, order, columns and page of a list, kept in the address: a reload, a link and a step back show
 * the same page.
 */
import { useCallback, useMemo } from "react"
import { createSearchParams, type NavigateOptions, useLocation, useNavigate } from "react-router"

/** Reads filters of a query string, and writes those that are not the default. */
export interface FilterCodec<Filters> {
  readonly read: (parameters: URLSearchParams) => Filters
  readonly written: (filters: Filters) => Record<string, string | Array<string>>
}

export interface ListAddress<Filters> {
  /** The same until the address changes. */
  readonly filters: Filters
  /** Empty on the first page. */
  readonly cursor: string
  /** Number of pages before this one; undefined on a page that was opened by its link. */
  readonly pagesBefore: number | undefined
  /** Changes filters and goes to the first page. Stays the same function, as `read` and `written` do. */
  readonly change: (changes: Partial<Filters>) => void
  readonly toFirst: () => void
  readonly toPrevious: () => void
  readonly toNext: (cursor: string) => void
}

const cursorName = "cursor"

/** Parameter of the columns, which other changes of the address keep. */
const columnsName = "columns"

const separator = "."

/** The columns that the query string names; null without them. */
export const columnsIn = (search: string): ReadonlyArray<string> | null =>
  new URLSearchParams(search).get(columnsName)?.split(separator) ?? null

/** The query string with these columns. */
export const withColumns = (search: string, columns: ReadonlyArray<string>): string => {
  const parameters = new URLSearchParams(search)
  parameters.set(columnsName, columns.join(separator))
  return parameters.toString()
}

/** Cursors of the pages before, in the state of the history entry. */
interface Trail {
  readonly trail: ReadonlyArray<string>
}

const isTrail = (state: unknown): state is Trail =>
  typeof state === "object" && state !== null && "trail" in state && Array.isArray(state.trail)

export const useListAddress = <Filters>({ read, written }: FilterCodec<Filters>): ListAddress<Filters> => {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const filters = useMemo(() => read(new URLSearchParams(search)), [read, search])
  const cursor = new URLSearchParams(search).get(cursorName) ?? ""
  const trail = cursor === "" ? [] : isTrail(state) ? state.trail : undefined

  const go = useCallback(
    (changes: Partial<Filters>, cursor: string, options: NavigateOptions) => {
      // The address bar can be newer than the rendered page when changes follow each other quickly.
      const filters = { ...read(new URLSearchParams(location.search)), ...changes }
      const query = createSearchParams({ ...written(filters), ...(cursor === "" ? {} : { [cursorName]: cursor }) })
      const columns = columnsIn(location.search)
      const search = columns === null ? query.toString() : withColumns(query.toString(), columns)
      void navigate({ search }, { preventScrollReset: true, ...options })
    },
    [navigate, read, written]
  )
  const change = useCallback((changes: Partial<Filters>) => go(changes, "", { replace: true }), [go])
  const turn = (to: string, trail: ReadonlyArray<string> | undefined) => {
    // The cursor belongs to the rendered list. Its filters or its order have just been changed.
    if (location.search !== search) return
    go({}, to, { state: trail === undefined ? null : ({ trail } satisfies Trail) })
    scrollTo(0, 0)
  }
  return {
    filters,
    cursor,
    pagesBefore: trail?.length,
    change,
    toFirst: () => turn("", undefined),
    toPrevious: () => turn(trail?.at(-1) ?? "", trail?.slice(0, -1)),
    toNext: (next) => turn(next, trail && [...trail, cursor])
  }
}
