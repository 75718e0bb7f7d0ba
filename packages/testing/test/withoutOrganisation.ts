/**
 * What becomes of a port method whose statement leaves the organisation out.
 */
import type { OrganisationId, Reach } from "@solar-sites/core"
import { Effect } from "effect"

/** What names all organisations. */
interface Database {
  readonly keys: () => Iterable<OrganisationId>
}

type Method<Owner extends Reach, Args extends ReadonlyArray<unknown>, A, E> = (
  owner: Owner | OrganisationId,
  ...args: Args
) => Effect.Effect<A, E>

/** A write: it does the same in every other organisation. */
export const everywhere =
  (database: Database) =>
  <Owner extends Reach, Args extends ReadonlyArray<unknown>, A, E>(
    method: Method<Owner, Args, A, E>
  ): Method<Owner, Args, A, E> =>
  (owner, ...args) =>
    Effect.tap(method(owner, ...args), () =>
      Effect.forEach(
        [...database.keys()].filter((id) => id !== owner),
        (other) => Effect.exit(method(other, ...args)),
        { discard: true }
      )
    )

/** A list: it holds the records of all organisations. */
export const ofAll =
  (database: Database) =>
  <Owner extends Reach, Args extends ReadonlyArray<unknown>, Item, E>(
    method: Method<Owner, Args, { readonly items: ReadonlyArray<Item>; readonly hasMore: boolean }, E>
  ): typeof method =>
  (_, ...args) =>
    Effect.map(
      Effect.forEach([...database.keys()], (owner) => method(owner, ...args)),
      (pages) => ({ items: pages.flatMap(({ items }) => items), hasMore: pages.some(({ hasMore }) => hasMore) })
    )
