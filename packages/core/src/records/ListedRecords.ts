/**
 * Lists of records, for commands.
 */
import { Effect } from "effect"
import type { Page } from "../lists/Page.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { RecordKind } from "./RecordKind.ts"
import type { ListOptions, Records } from "./Records.ts"

/** A page of a list, in the form that callers see. */
export const listRecords = <R extends { readonly id: string }, Shown>(
  { list }: Pick<Records["Service"], "list">,
  operation: string,
  organisationId: OrganisationId,
  kind: RecordKind<R>,
  shown: (record: R) => Shown,
  options: ListOptions
): Effect.Effect<Page<Shown>, RepositoryError> =>
  Effect.map(list(operation, organisationId, kind, options), ({ hasMore, items }) => ({
    // A list of a kind has records of that kind.
    items: items.map((record) => shown(record as R)),
    hasMore
  }))
