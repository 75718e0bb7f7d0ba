/** Commands on accounts: `load → rule → commit` over the records of an organisation, with events of the current caller. */
import {
  type AnyKind,
  Caller,
  CurrentCaller,
  type DecidedChange,
  type Decision,
  type EventOrigin,
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
import { Effect, Result } from "effect"
import { type PresentLimits, presentLimitsIn, withPresentLimits } from "./PresentLimits.ts"

/** A rule is called again when its records were stale. */
type Rule<A, Refusal = never> = (found: Found) => Result.Result<Decision<A>, Refusal>

/** A change of an organisation: the records that it reads, and the rule that decides on them. */
export interface Command<A, Refusal = never> {
  readonly operation: string
  readonly organisationId: OrganisationId
  /** The record that concurrent calls wait for. */
  readonly of: { readonly kind: AnyKind; readonly id: string }
  readonly finds: ReadonlyArray<Find>
  readonly rule: (origin: EventOrigin) => Rule<A, Refusal>
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
      Effect.flatMap(originOf(command.organisationId), (origin) =>
        update(of.kind, of.id, { ...command, rule: rule(origin) })
      )
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
export const unchanged = <A>(answer: A): Result.Result<Decision<A>, never> => Result.succeed({ answer, change: null })

/** The answer with a change, at the instant of its origin. */
export const changing = <A>(
  answer: A,
  origin: EventOrigin,
  writes: ReadonlyArray<Write>,
  events: ReadonlyArray<NewEvent> = [],
  more: Pick<DecidedChange, "mayChange"> = {}
): Result.Result<Decision<A>, never> =>
  Result.succeed({ answer, change: { writes, events, origin, at: origin.occurredAt, ...more } })

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
