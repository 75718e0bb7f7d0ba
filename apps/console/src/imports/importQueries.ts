/**
 * The latest imports, read every second while one is running.
 */
import { queryOptions } from "@tanstack/react-query"
import { ask } from "../api/ask.ts"
import type { SiteImport } from "../api/imports.ts"
import { readAgain } from "../api/queries.ts"
import { refreshSites } from "../sites/siteQueries.ts"

const pollMillis = 1_000

const isRunning = ({ state }: SiteImport): boolean => state === "running"

let running: ReadonlySet<string> = new Set()

/** Lists of sites are read again at the end of an import. */
const noticeEnds = (imports: ReadonlyArray<SiteImport>): void => {
  const ended = imports.some((found) => running.has(found.id) && !isRunning(found))
  running = new Set(imports.filter(isRunning).map(({ id }) => id))
  if (!ended) return
  void refreshSites()
  void readAgain(["portfolios"], ["coverage"])
}

export const importsQuery = queryOptions({
  queryKey: ["imports"],
  queryFn: async () => {
    const { data } = await ask("GET /console/imports")
    noticeEnds(data)
    return data
  },
  refetchOnMount: "always",
  refetchInterval: ({ state }) => (state.data?.some(isRunning) === true ? pollMillis : false)
})

export const refreshImports = (): Promise<void> => readAgain(importsQuery.queryKey)
