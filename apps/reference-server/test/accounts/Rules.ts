/** Records for tests of rules, as a load answers them. */
import {
  type AnyKind,
  type DecidedChange,
  type Find,
  type Found,
  foundOf,
  makeUnchecked,
  OrganisationId,
  organisationKind,
  Revision,
  type Stored,
  UserId,
  withObstacle
} from "@solar-sites/core"
import { DateTime, Result } from "effect"
import { expect } from "vitest"
import type { Command } from "../../src/accounts/Commands.ts"
import { LinkRecord } from "../../src/accounts/login/LinkKind.ts"
import type { Manager } from "../../src/accounts/people/Authority.ts"
import type { Role } from "../../src/accounts/people/Role.ts"
import { UserRecord } from "../../src/accounts/people/UserKind.ts"
import { SessionRecord } from "../../src/accounts/sessions/SessionKind.ts"

export const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
export const later = DateTime.addDuration(at, "1 hour")
export const organisationId = OrganisationId.make("0190b2a0-0000-7000-8000-000000000001")

const idOf = (n: number) => `0190b2a0-0000-7000-8000-${String(n).padStart(12, "0")}`
export const userIdOf = (n: number): UserId => UserId.make(idOf(n))

export const aUser = (n: number, role: Role, more: Partial<UserRecord> = {}): UserRecord =>
  makeUnchecked(UserRecord, {
    id: userIdOf(n),
    organisationId,
    login: `user${n}@example.com`,
    email: `user${n}@example.com`,
    name: `User ${n}`,
    role,
    passwordHash: "hash",
    passwordVersion: 1,
    createdAt: at,
    digest: "weekly",
    digestSince: at,
    portfolioIds: null,
    ...more
  })

/** A role without a limit. */
export const unlimited = (role: Role): Manager => ({ id: userIdOf(2), organisationId, role, portfolioIds: null })

/** An invitation by user 1, which lives for an hour. */
export const anInvitation = (n: number, role: Role, more: Partial<LinkRecord> = {}): LinkRecord =>
  makeUnchecked(LinkRecord, {
    id: idOf(n),
    organisationId,
    purpose: "invitation",
    digest: `d${n}`,
    userId: null,
    passwordVersion: null,
    login: `invited${n}@example.com`,
    email: `invited${n}@example.com`,
    name: null,
    role,
    portfolioIds: null,
    createdBy: userIdOf(1),
    createdAt: at,
    expiresAt: later,
    mailedAt: null,
    domain: "example.com",
    isForeign: false,
    ...more
  })

/** The session of a user that ends `n` minutes after the others. */
export const aSession = (n: number, userId: UserId, more: Partial<SessionRecord> = {}): SessionRecord =>
  makeUnchecked(SessionRecord, {
    id: idOf(n),
    organisationId,
    userId,
    digest: `s${n}`,
    passwordVersion: 1,
    createdAt: at,
    expiresAt: DateTime.addDuration(at, "12 hours"),
    endsAt: DateTime.addDuration(at, `${120 + n} minutes`),
    method: "password",
    userAgent: null,
    usedAt: null,
    ...more
  })

export const organisation: Known = [organisationKind, { id: organisationId, name: "Meadow", status: "active" }]
export const inactive: Known = [organisationKind, { id: organisationId, name: "Meadow", status: "inactive" }]

export type Known = readonly [kind: AnyKind, ...records: ReadonlyArray<object>]

const stored = (record: object): Stored<object> => ({ record, revision: Revision("1") })

/** What a load of `finds` answers, given all records. */
export const loaded = (finds: ReadonlyArray<Find>, known: ReadonlyArray<Known>): Found => {
  const ofKind = ({ name }: AnyKind) => known.flatMap(([kind, ...records]) => (kind.name === name ? records : []))
  const valueIn = (record: object, member: string) => String(Reflect.get(record, member))
  const recordsOf = ({ by, kind, values }: Find): ReadonlyArray<object> => {
    const given = "of" in values ? recordsOf(values.of).map((record) => valueIn(record, values.member)) : values
    return ofKind(kind).filter((record) => given.includes(valueIn(record, by)))
  }
  return foundOf(finds.map((find) => ({ find, stored: recordsOf(find).map(stored) })))
}

interface Decided<A> {
  readonly answer: A
  readonly change: Pick<DecidedChange, "writes" | "events" | "mayChange">
  /** Kind, id and what happens with each written record. */
  readonly written: ReadonlyArray<string>
  /** Type and subject of each event. */
  readonly events: ReadonlyArray<string>
}

/** All records, or what a load has answered. */
type Given = Found | ReadonlyArray<Known>

const decide = <A, Refusal>({ finds, rule }: Command<A, Refusal>, given: Given) =>
  rule("answers" in given ? given : loaded(finds, given), at)

/** A command that decides a change. */
export const decided = <A, Refusal>(command: Command<A, Refusal>, given: Given): Decided<A> => {
  const { answer, change } = Result.getOrThrow(decide(command, given))
  if (change === null) throw new Error("no change")
  const action = (before: unknown, after: unknown) => (after === null ? "-" : before === null ? "+" : "")
  return {
    answer,
    change,
    written: change.writes.map(
      ({ after, before, id, kind }) => `${action(before, after)}${kind.name} ${Number(id.slice(-12))}`
    ),
    events: change.events.map(({ subjectId, type }) => `${type} ${Number(subjectId.slice(-12))}`)
  }
}

/** The tag of the refusal. */
export const refusal = <A, Refusal extends { readonly _tag: string }>(
  command: Command<A, Refusal>,
  given: Given
): string => Result.match(decide(command, given), { onFailure: ({ _tag }) => _tag, onSuccess: () => "none" })

/** Expects an answer without a change. */
export const expectUnchanged = <A, Refusal>(command: Command<A, Refusal>, given: Given, answer: A): void =>
  expect(Result.getOrThrow(decide(command, given))).toEqual({ answer, change: null })

/** The records of a command, when a commit has found the value of a member taken. */
export const withTaken = (
  { finds }: { readonly finds: ReadonlyArray<Find> },
  known: ReadonlyArray<Known>,
  kind: AnyKind,
  member: string
): Found => withObstacle(loaded(finds, known), { taken: { kind: kind.name, member } })
