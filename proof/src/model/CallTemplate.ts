/**
 * A step before it is sent: plain data without ids, so that it shrinks and prints. Tokens such as
 * `{ "@id": "sites", of: "own", n: 2 }` become ids and texts of the model at that time.
 */
import { type Call, uuidIn } from "./Call.ts"
import type { Key, ModelState, Organisation } from "./ModelState.ts"
import { isOfConsole, type OperationName, operations } from "./operations.ts"

export type Kind =
  | "sites"
  | "portfolios"
  | "documents"
  | "webhooks"
  | "deliveries"
  | "users"
  | "invitations"
  | "apiKeys"

export interface IdToken {
  readonly "@id": Kind
  readonly of: "own" | "foreign" | "gone" | "never" | "odd"
  readonly n: number
}

export interface Who {
  /** Index of an organisation. */
  readonly organisation: number
  /** Index of a key; one that is deleted or expired, too. */
  readonly key: number
  /**
   * Index of a session, also of an ended one; -1 is the last. Counts instead of the key
   * where the target has a console.
   */
  readonly session?: number
  /** No key, or one that was never made. */
  readonly odd?: "none" | "unknown" | "malformed"
}

export interface CallTemplate {
  readonly call: OperationName
  readonly who: Who
  readonly ids: ReadonlyArray<IdToken>
  readonly query?: ReadonlyArray<readonly [string, unknown]>
  readonly body?: unknown
  readonly match?: "current" | "stale"
  readonly idempotencyKey?: string
  readonly accept?: "text/csv" | "image/png"
}

export const organisationAt = (model: ModelState, index: number): Organisation => {
  const living = model.organisations.filter(({ status }) => status !== "deleted")
  const found = living[index % living.length]
  if (found === undefined) throw new Error("the model has no organisation")
  return found
}

const keyAt = ({ keys }: Organisation, index: number): Key => {
  const found = keys[index % keys.length]
  if (found === undefined) throw new Error("the organisation has no key")
  return found
}

const never = (n: number): string => `019e0000-0000-7000-8000-${String(n % 100).padStart(12, "0")}`

const spellings: ReadonlyArray<(id: string) => string> = [
  (id) => id.toUpperCase(),
  (id) => `{${id}}`,
  (id) => ` ${id}`,
  (id) => `${id}0`,
  (id) => id.slice(1),
  (id) => id.replaceAll("-", ""),
  () => "null",
  () => "a".repeat(300),
  (id) => `${id.slice(0, 8)}%2d${id.slice(9)}`,
  () => "%",
  () => "../sites"
]

/** Those after them are no path of the console at all. */
const consoleSpellings = 8

const idsOf = (organisation: Organisation, kind: Kind): ReadonlyArray<string> => {
  if (kind === "deliveries") return [...organisation.webhooks.values()].flatMap(({ tests }) => tests)
  if (kind === "apiKeys") return organisation.keys.flatMap(({ deleted, id }) => (deleted ? [] : [id])).sort()
  return [...organisation[kind].keys()].sort()
}

const isOfPeople = (kind: Kind): boolean => ["users", "invitations", "apiKeys"].includes(kind)

const pick = (ids: ReadonlyArray<string>, n: number): string | undefined => ids[n % Math.max(1, ids.length)]

const resolveId = (model: ModelState, own: Organisation, { "@id": kind, n, of }: IdToken, isTwin: boolean): string => {
  switch (of) {
    case "own":
      return pick(idsOf(own, kind), n) ?? never(n)
    case "foreign": {
      const others = model.organisations.filter((other) => other !== own)
      const ids = others.flatMap((other) => idsOf(other, kind)).sort()
      if (ids.length === 0) return never(n)
      // Equal ids have equal twins, which no other token names.
      return isTwin ? never(50 + (n % ids.length)) : (pick(ids, n) ?? never(n))
    }
    case "gone":
      return pick(own.gone, n) ?? never(n)
    case "never":
      return never(n)
    case "odd":
      return (
        spellings[n % (isOfPeople(kind) ? consoleSpellings : spellings.length)]?.(
          pick(idsOf(own, kind), n) ?? never(n)
        ) ?? never(n)
      )
  }
}

const isIdToken = (value: object): value is IdToken => "@id" in value

/** A link of an invitation, or an e-mail address, which is unique across organisations. */
type PersonToken = { readonly "@link": number } | { readonly "@email": number; readonly of: "own" | "foreign" | "new" }

const isPersonToken = (value: object): value is PersonToken => "@link" in value || "@email" in value

const emailsOf = ({ users }: Organisation): ReadonlyArray<string> => [...users.values()].map(({ email }) => email)

export const newEmail = ({ id }: Organisation, n: number): string => `person-${n}.${id.slice(-12)}@example.com`

const personOf = (model: ModelState, own: Organisation, token: PersonToken, isTwin: boolean): string => {
  if ("@link" in token) {
    const links = model.organisations.flatMap((one) => one.links)
    return links[token["@link"] % (links.length + 1)] ?? "no-link"
  }
  const { "@email": n, of } = token
  const others = model.organisations.filter((other) => other !== own).flatMap(emailsOf)
  const known = of === "own" ? emailsOf(own) : of === "foreign" && !isTwin ? others : []
  return pick(known, n) ?? newEmail(own, n)
}

/** The value with ids and marked texts in place of tokens. */
const fill = (model: ModelState, own: Organisation, value: unknown, isTwin: boolean): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => fill(model, own, one, isTwin))
  if (typeof value !== "object" || value === null) return value
  if (isIdToken(value)) return resolveId(model, own, value, isTwin)
  if (isPersonToken(value)) return personOf(model, own, value, isTwin)
  if ("@url" in value) return `https://127.0.0.1:1/${own.marker}/${String(value["@url"])}`
  if ("@text" in value) return `${String(value["@text"])} ${own.marker}`
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(model, own, one, isTwin)]))
}

const secretOf = (own: Organisation, { key, odd }: Who): string | null => {
  if (odd === "none") return null
  const { secret } = keyAt(own, key)
  // The checksum at the end does not fit.
  if (odd === "malformed") return `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`
  return odd === "unknown" ? "unknown" : secret
}

const credentialOf = (own: Organisation, { call, who }: CallTemplate): Pick<Call, "secret" | "session"> => {
  const { length } = own.sessions
  const isOfSession = isOfConsole(call) || (who.session !== undefined && length > 0)
  if (!isOfSession) return { secret: secretOf(own, who) }
  const token = own.sessions.at((who.session ?? 0) % Math.max(1, length))?.token
  return { secret: null, session: who.odd === undefined ? (token ?? null) : null }
}

const matchOf = (own: Organisation, { call, match }: CallTemplate, id: string): string | undefined => {
  if (match === undefined) return undefined
  const record = [own.sites, own.portfolios, own.documents, own.webhooks].map((all) => all.get(id)).find(Boolean)
  const { version } = record ?? (call === "replaceDocumentRequirements" ? own.requirements : { version: 1 })
  return `"${match === "current" ? version : version + 1}"`
}

export interface Resolved {
  readonly call: Call
  /** The same call with ids of nothing for the foreign ones; undefined without foreign ones. */
  readonly twin?: Call
}

export const resolve = (model: ModelState, template: CallTemplate, requestId: string): Resolved => {
  const own = organisationAt(model, template.who.organisation)
  const make = (isTwin: boolean): Call => {
    const ids = template.ids.map((token) => resolveId(model, own, token, isTwin))
    const match = matchOf(own, template, uuidIn(ids[0]) ?? "")
    return {
      operation: template.call,
      ids,
      query: (template.query ?? []).map(([name, value]) => [name, String(fill(model, own, value, isTwin))] as const),
      body: fill(model, own, template.body, isTwin),
      headers: {
        ...(match === undefined ? {} : { "if-match": match }),
        ...(template.accept === undefined ? {} : { accept: template.accept }),
        ...(template.idempotencyKey === undefined || isTwin ? {} : { "idempotency-key": template.idempotencyKey })
      },
      ...credentialOf(own, template),
      requestId: isTwin ? `${requestId}-twin` : requestId
    }
  }
  const call = make(false)
  const twin = make(true)
  const isSame = JSON.stringify([call.ids, call.query, call.body]) === JSON.stringify([twin.ids, twin.query, twin.body])
  return isSame ? { call } : { call, twin }
}

export const searchOf = (query: Call["query"]): string => {
  const search = new URLSearchParams()
  for (const [name, value] of query) search.append(name, value)
  return query.length === 0 ? "" : `?${search}`
}

/** The request of a call to a server at `base`. */
export const requestOf = (base: string, call: Call): Request => {
  const { body, headers, ids, operation, query, requestId, secret, session } = call
  const { method, path } = operations[operation]
  const values = [...ids]
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? ""))
  const prefix = session !== undefined && !isOfConsole(operation) ? "/console" : ""
  return new Request(`${base}${prefix}${filled}${searchOf(query)}`, {
    method,
    headers: {
      ...headers,
      "x-request-id": requestId,
      ...(secret === null ? {} : { "x-api-key": secret }),
      ...(session === undefined ? {} : { origin: new URL(base).origin }),
      ...(typeof session === "string" ? { cookie: `solar_session=${session}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
}
