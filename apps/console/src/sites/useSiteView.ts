/**
 * Search, filter, order and page of the sites. They are kept in the address, so
 * that they survive a reload and a step back.
 */
import { useSearchParams } from "react-router"
import type { SiteOrder, SiteView } from "./SiteList.ts"

export interface PageView extends SiteView {
  readonly page: number
  readonly asMap: boolean
}

const orders: ReadonlyArray<SiteOrder> = ["siteName", "capacityKw", "portfolio", "createdAt"]

const read = (parameters: URLSearchParams): PageView => ({
  search: parameters.get("search") ?? "",
  portfolio: parameters.get("portfolio") ?? "all",
  order: orders.find((order) => order === parameters.get("order")) ?? "siteName",
  descending: parameters.has("descending"),
  page: Math.max(1, Math.floor(Number(parameters.get("page")) || 1)),
  asMap: parameters.get("view") === "map"
})

const written = ({ asMap, descending, order, page, portfolio, search }: PageView): Record<string, string> => ({
  ...(search === "" ? {} : { search }),
  ...(portfolio === "all" ? {} : { portfolio }),
  ...(order === "siteName" ? {} : { order }),
  ...(descending ? { descending: "" } : {}),
  ...(page === 1 ? {} : { page: String(page) }),
  ...(asMap ? { view: "map" } : {})
})

/** All changes but those of the page go to the first page. */
export const useSiteView = () => {
  const [parameters, setParameters] = useSearchParams()
  const view = read(parameters)
  // The address bar can be newer than the rendered view when changes follow each other quickly.
  const change = (changes: Partial<PageView>) =>
    setParameters(written({ ...read(new URLSearchParams(location.search)), page: 1, ...changes }), {
      replace: true,
      preventScrollReset: true
    })
  return { view, change }
}
