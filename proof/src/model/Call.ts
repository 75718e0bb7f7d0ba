/**
 * A request, its answer, and what the model expects of it.
 */
import { isDeepStrictEqual } from "node:util"
import type { ApiScope } from "@solar-sites/core"
import { between, type Hole, type Instant } from "./Match.ts"
import type { Event, ModelState, Organisation } from "./ModelState.ts"
import type { OperationName } from "./operations.ts"
import type { Key, Mail, Session } from "./PeopleState.ts"

export interface Call {
  readonly operation: OperationName
  /** Values for the path, in its order. */
  readonly ids: ReadonlyArray<string>
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string | null
  /** Token of a session, null without one. The call goes to the console, and has no key. */
  readonly session?: string | null
  readonly requestId: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
  /** Time of the server in which it was made. */
  readonly from: number
  readonly to: number
}

export interface Expected {
  readonly status: number
  readonly code?: string
  /** Pointers of the faults, in any order. */
  readonly pointers?: ReadonlyArray<string>
  /** True of a refusal after the check of an `Idempotency-Key`; the refusal before that check, if there is one. */
  readonly ofState?: true | Expected
  /** With holes; undefined for no body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | Hole>>
  /** The exact text, of a repeated answer. */
  readonly text?: string
}

/** The key or the session of an accepted call. */
export interface Caller {
  readonly key: Key | null
  readonly session: Session | null
  readonly userId: string | null
  readonly scopes: ReadonlyArray<ApiScope>
  /** The portfolios that the caller is limited to; null without a limit. */
  readonly limit: ReadonlyArray<string> | null
}

export interface Turn {
  readonly model: ModelState
  /** What the caller finds of its organisation. */
  readonly organisation: Organisation
  readonly whole: Organisation
  readonly caller: Caller
  readonly call: Call
  /** Instant of the changes of this call. */
  readonly at: Instant
  /** Time of the call. An event may be later than the change that it is of. */
  readonly within: Instant
  /** Status of the answer, which decides where several are right. */
  readonly answered: number
}

/** The answer of one operation; changes the model as the service changes its records. */
export type Rule = (turn: Turn) => Expected

/** The same of an operation that needs no caller. */
export type OpenRule = (model: ModelState, call: Call, answer: Answer) => Expected

export const ok = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}): Expected => ({
  status,
  body,
  headers
})

export const refused = (status: number, code: string, pointers?: ReadonlyArray<string>): Expected => ({
  status,
  code,
  ...(pointers === undefined ? {} : { pointers })
})

export const invalid = (pointers: ReadonlyArray<string>): Expected => refused(400, "validation_failed", pointers)

export const etag = ({ version }: { readonly version: number }): Readonly<Record<string, string>> => ({
  etag: `"${version}"`
})

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id in lower case; undefined when it is none. */
export const uuidIn = (text: unknown): string | undefined => {
  const id = typeof text === "string" ? text.toLowerCase() : ""
  return pattern.test(id) ? id : undefined
}

/** Id of the path, or an id of nothing. */
export const idOf = ({ call }: Turn): string => uuidIn(call.ids[0]) ?? ""

/** True for an `If-Match` that names another version. */
export const isStale = ({ call }: Turn, { version }: { readonly version: number }): boolean => {
  const { "if-match": given } = call.headers
  return given !== undefined && given !== "*" && given !== `"${version}"`
}

export const stale = refused(412, "precondition_failed")

/** Members that differ; of a creation or deletion those with a value. */
export const changesOf = (from: object | null, to: object | null, members: ReadonlyArray<string>): Event["changes"] => {
  const isEmpty = (value: unknown) => value === null || isDeepStrictEqual(value, []) || isDeepStrictEqual(value, {})
  const changes: Event["changes"] = {}
  for (const name of members) {
    const [before, after] = [from, to].map((record) => (record && Reflect.get(record, name)) ?? null)
    if (from !== null && to !== null ? isDeepStrictEqual(before, after) : isEmpty(before) && isEmpty(after)) continue
    changes[name] = { from: before, to: after }
  }
  return changes
}

/** Origin of changes: a call, an operator with or without a user, or the service itself. */
export interface Origin extends Pick<Turn, "organisation" | "at"> {
  readonly caller?: Pick<Caller, "key" | "userId">
  readonly call?: Pick<Call, "requestId">
  readonly within?: Instant
}

export const lacks = ({ caller }: Turn, scopes: ReadonlyArray<ApiScope>): Expected | undefined =>
  scopes.every((scope) => caller.scopes.includes(scope)) ? undefined : refused(403, "scope_missing")

export const about = (type: string, { id, name }: { readonly id: string; readonly name: string | null }) => ({
  ...{ type, id, name }
})

export const emit = (
  { at, call, caller, organisation, within = at }: Origin,
  type: string,
  subject: Event["subject"],
  siteId: string | null,
  changes: Event["changes"]
): void => {
  const { key = null, userId = null } = caller ?? {}
  const actor = { userId, apiKeyId: key?.id ?? null, keyPrefix: key?.prefix ?? null }
  const occurredAt = between(within["@from"], within["@to"])
  const requestId = call?.requestId ?? null
  organisation.events.push({ type, occurredAt, actor, subject, siteId, changes, requestId, id: null, sequence: null })
}

/** The link of the mail gets its token once the mail has arrived. */
export const emitMail = (
  { model }: Pick<Turn, "model">,
  { mails }: Organisation,
  { isDue = true, link = null, subject, to }: Pick<Mail, "to" | "subject"> & Partial<Pick<Mail, "isDue" | "link">>
): void => {
  if (model.hasMail) mails.push({ to, subject, link, isDue, received: false })
}
