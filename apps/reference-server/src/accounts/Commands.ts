/** Commands on accounts: `load → rule → commit` over the records of an organisation, with events of the current caller. */
import {
  type AnyKind,
  Caller,
  CurrentCaller,
  type DecidedChange,
  eventOrigins,
  type Find,
  type Found,
  makeDeciding,
  type NewEvent,
  type OrganisationId,
  organisationKind,
  type RecordKind,
  Records,
  type RepositoryError,
  type Stored,
  type UserId,
  type Write
} from "@solar-sites/core"
import { type DateTime, Effect, Result } from "effect"
import { type PresentLimits, presentLimitsIn, withPresentLimits } from "./PresentLimits.ts"

/** The answer of a command, and the change that it decides; null for none. */
interface Decided<A> {
  readonly answer: A
  readonly change: Omit<DecidedChange, "origin" | "at"> | null
}

/** A change of an organisation: the records that it reads, and the rule that decides on them. */
export interface Command<A, Refusal = never> {
  readonly operation: string
  readonly organisationId: OrganisationId
  /** The record that concurrent calls wait for. */
  readonly of: { readonly kind: AnyKind; readonly id: string }
  readonly finds: ReadonlyArray<Find>
  /** It is called again when its records were stale. `at` is the instant of its events. */
  readonly rule: (found: Found, at: DateTime.Utc) => Result.Result<Decided<A>, Refusal>
}

export interface Commands {
  readonly load: Records["Service"]["load"]
  readonly presentLimits: PresentLimits
  readonly decide: <A, Refusal = never>(command: Command<A, Refusal>) => Effect.Effect<A, Refusal | RepositoryError>
}

export const makeCommands: Effect.Effect<Commands, never, Records> = Effect.gen(function* () {
  const records = withPresentLimits(yield* Records)
  const originOf = yield* eventOrigins
  const { update } = makeDeciding(records)
  return {
    load: records.load,
    presentLimits: presentLimitsIn(records),
    decide: ({ of, rule, ...command }) =>
      Effect.flatMap(originOf(command.organisationId), (origin) => {
        const at = origin.occurredAt
        const decided = (found: Found) =>
          Result.map(rule(found, at), ({ answer, change }) => ({ answer, change: change && { ...change, origin, at } }))
        return update(of.kind, of.id, { ...command, rule: decided })
      })
  }
})

/** Makes a user the actor of the events. */
export const asUser = ({ id, organisationId }: { readonly id: UserId; readonly organisationId: OrganisationId }) =>
  Effect.provideService(CurrentCaller, new Caller({ organisationId, userId: id, apiKeyId: null }))

/** The beginning of a command on one record. */
export const on = (kind: AnyKind, id: string, operation: string, organisationId: OrganisationId) => ({
  operation,
  organisationId,
  of: { kind, id }
})

export const find = <R extends { readonly id: string }>(
  kind: RecordKind<R>,
  by: keyof R & string,
  ...values: ReadonlyArray<string>
) => ({ kind, by, values })

/** The answer without a change. */
export const unchanged = <A>(answer: A): Result.Result<Decided<A>, never> => Result.succeed({ answer, change: null })

/** The answer with a change. A decision does not depend on records with ids in `mayChange`. */
export const changing = <A>(
  answer: A,
  writes: ReadonlyArray<Write>,
  events: ReadonlyArray<NewEvent> = [],
  mayChange: ReadonlyArray<string> = []
): Result.Result<Decided<A>, never> => Result.succeed({ answer, change: { writes, events, mayChange } })

const idOf = ({ record }: Stored<object>): string => String(Reflect.get(record, "id"))

/** Stores a new record, or one in place of `before`. */
export const storing = (kind: AnyKind, before: Stored<object> | null, after: { readonly id: string }): Write => ({
  kind,
  id: after.id,
  before,
  after
})

export const removing = (kind: AnyKind, before: Stored<object>): Write => ({
  kind,
  id: idOf(before),
  before,
  after: null
})

/** The ids of records that a decision does not depend on. */
export const ids = (stored: ReadonlyArray<Stored<object>>): ReadonlyArray<string> => stored.map(idOf)

/** The organisation, when it is active. */
export const activeOrganisation = (found: Found, organisationId: OrganisationId) => {
  const organisation = found.byId(organisationKind, organisationId)?.record
  return organisation?.status === "active" ? organisation : null
}
