/**
 * `Records.commit`: one statement for each form of changes. Creations of one record share one
 * (docs/decisions/0012).
 */
import {
  type AnyKind,
  type Change,
  type Committed,
  type OrganisationId,
  type Records,
  type RepositoryError,
  Revision,
  Stale,
  type Write
} from "@solar-sites/core"
import { Effect } from "effect"
import { violated } from "../client/PgErrors.ts"
import { textOf } from "../client/PgJsonStatement.ts"
import { reachOf, scopeOf } from "../client/PgStatement.ts"
import type { PgText } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { toMilliseconds } from "../tables/SqlValues.ts"
import { eventsParameter, partsOf } from "./CommitInput.ts"
import { commitText, formOf, needsInstant } from "./CommitText.ts"
import { makeCreating } from "./Creations.ts"
import type { RecordTables } from "./RecordTables.ts"

/** What an integrity violation says about a change: it was stale, or undefined for a bug. */
const staleFrom = (
  { isConstraint, takenBy }: RecordTables,
  constraint: string,
  kinds: ReadonlyArray<AnyKind>
): Stale | undefined => {
  for (const kind of kinds) {
    const bound = kind.bounds.find((one) => one.name === constraint)?.name
    if (bound !== undefined) return new Stale({ conflict: bound, full: bound })
    if (constraint === `${kind.name}_absent`) return new Stale({ conflict: constraint })
  }
  const taken = takenBy(constraint)
  if (taken !== undefined) return new Stale({ conflict: constraint, taken })
  return isConstraint(constraint) ? new Stale({ conflict: constraint }) : undefined
}

/** The only write, when the change does nothing but create one record with events about it. */
const creationIn = (
  { tableOf }: RecordTables,
  { events, reads, writes }: Change
): (Write & { readonly after: object }) | undefined => {
  const [write] = writes
  const isAlone = writes.length === 1 && reads.length === 0 && write?.kind.bounds.length === 0
  // Its statement locks no organisation, and does not tell why it left a record out.
  if (write === undefined || tableOf(write.kind).locksOrganisation) return undefined
  const isCreation = isAlone && write.before === null && write.after !== null
  return isCreation && events.every(({ subjectId }) => subjectId === write.id) ? write : undefined
}

const committed = (revisions: Committed["revisions"]): Committed => ({ _tag: "Committed", revisions })

export const makeCommit = (client: PgClient["Service"], tables: RecordTables): Records["Service"]["commit"] => {
  const { run } = client
  const creations = new Map<string, ReturnType<typeof makeCreating>>()
  const texts = new Map<string, PgText>()

  const create = (
    operation: string,
    organisationId: OrganisationId,
    write: Write & { after: object },
    change: Change
  ) => {
    const { after: record, id, kind } = write
    const key = `${operation} ${kind.name}`
    const store = creations.get(key) ?? makeCreating(client, tables, operation, kind)
    creations.set(key, store)
    return Effect.map(store(reachOf(organisationId, change.within), { record, id, change }), (isStored) =>
      isStored ? committed([null]) : new Stale({ conflict: kind.name })
    )
  }

  const apply = (operation: string, organisationId: OrganisationId, change: Change) => {
    const parts = partsOf(tables, change)
    const form = formOf(parts)
    const text = texts.get(form) ?? commitText(tables, parts)
    texts.set(form, text)
    const parameters = [
      organisationId,
      eventsParameter([change]),
      ...parts.map(({ input }) => input),
      ...(needsInstant(parts) ? [toMilliseconds(change.at)] : [])
    ]
    const scope = scopeOf(reachOf(organisationId, change.within))
    return Effect.map(run({ operation, text, parameters, scope }), (rows) => {
      const answer = textOf(rows)
      if (answer === null) return new Stale({ conflict: form })
      // The text of the statement makes the answer this array.
      const revisions = new Map(JSON.parse(answer) as ReadonlyArray<[record: string, revision: string]>)
      return committed(
        change.writes.map(({ id, kind }) => {
          const revision = revisions.get(`${kind.name} ${id}`)
          return revision === undefined ? null : Revision(revision)
        })
      )
    })
  }

  return (operation, organisationId, change) => {
    const creation = creationIn(tables, change)
    const commit =
      creation === undefined
        ? apply(operation, organisationId, change)
        : create(operation, organisationId, creation, change)
    return Effect.catch(commit, (error: RepositoryError): Effect.Effect<Stale, RepositoryError> => {
      const constraint = violated(error)
      const kinds = [...change.writes, ...change.reads].map(({ kind }) => kind)
      const stale = constraint === undefined ? undefined : staleFrom(tables, constraint, kinds)
      return stale === undefined ? Effect.fail(error) : Effect.succeed(stale)
    })
  }
}
