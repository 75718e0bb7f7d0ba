/**
 * Pages that carry the JSON of their items, written by the database, so that an HTTP answer needs
 * no models. This is an optimisation only: every page works without it.
 */
import type { List, Page } from "./Page.ts"

/** The items of a part of a listing. */
interface Part {
  readonly sites: ReadonlyArray<unknown>
}

export interface PageJson {
  /** Each item as `JSON.stringify` would write it, in order. */
  readonly texts: () => ReadonlyArray<string>
  /** Id of the last item; null for an empty page. */
  readonly lastId: string | null
}

// Not enumerable: a copy with other items must not keep the JSON, and comparisons must ignore it.
const json: unique symbol = Symbol("@solar-sites/core/PageJson")

/**
 * Attaches JSON to the page, list or part and returns it. Only for items that callers see as
 * stored: the address of an uploaded cover changes, so a page with one carries no JSON.
 */
export const withJson = <A extends Page<unknown> | List<unknown> | Part>(page: A, pageJson: PageJson): A =>
  Object.defineProperty(page, json, { value: pageJson })

/** The JSON attached by `withJson`, if any. */
export const jsonOf = (page: object): PageJson | undefined => (json in page ? (page[json] as PageJson) : undefined)
