/**
 * Pages that can tell their items as JSON without making models of them first,
 * since a database can write what an answer only passes on. A page is a page
 * without that too; nothing may depend on it but the speed of an answer.
 *
 * @since 0.1.0
 */
import type { List, Page } from "./Page.ts"

/**
 * @category models
 * @since 0.1.0
 */
export interface PageJson {
  /** Each item as `JSON.stringify` writes it, in their order. */
  readonly texts: () => ReadonlyArray<string>
  /** The id of the last item; `null` when there is none. */
  readonly lastId: string | null
}

// Neither copied with the members nor seen by a comparison: a page that was made from this one has other items.
const json: unique symbol = Symbol("@solar-sites/core/PageJson")

/**
 * The same page or list, which knows its JSON from then on. Only for items that
 * callers see as they are stored: an uploaded cover has another address each
 * time, so that a page with one has no JSON.
 *
 * @category constructors
 * @since 0.1.0
 */
export const withJson = <A extends Page<unknown> | List<unknown>>(page: A, known: PageJson): A =>
  Object.defineProperty(page, json, { value: known })

/**
 * What `withJson` was told of this very page or list.
 *
 * @category getters
 * @since 0.1.0
 */
export const jsonOf = (page: object): PageJson | undefined => (json in page ? (page[json] as PageJson) : undefined)
