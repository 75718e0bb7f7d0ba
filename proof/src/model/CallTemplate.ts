/**
 * A step before it is sent: plain data without ids, so that it shrinks and prints.
 */
import { type Answer, type Call, uuidIn } from "./Call.ts"
import { bytesOf, type Table } from "./ImportedFile.ts"
import type { ModelState, Organisation } from "./ModelState.ts"
import { hasFile, isOfConsole, type OperationName, operations } from "./operations.ts"
import type { Key, User } from "./PeopleState.ts"
import { idsOutside } from "./Reach.ts"
import { fill, type IdToken, type Place, pick, resolveId } from "./Tokens.ts"

export interface Who {
  readonly organisation: number
  /** Index of a key; one that is deleted or expired, too. */
  readonly key: number
  /**
   * Index of a session, also of an ended one; -1 is the newest. Counts instead of the key
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
  /** At the start of an import: its server is stopped at once, and begins again. */
  readonly stop?: true
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

const secretOf = (own: Organisation, { key, odd }: Who): string | null => {
  if (odd === "none") return null
  const { secret } = keyAt(own, key)
  // The checksum at the end does not fit.
  if (odd === "malformed") return `${secret.slice(0, -1)}${secret.endsWith("A") ? "B" : "A"}`
  return odd === "unknown" ? "unknown" : secret
}

/** Mostly one that has not ended. */
const sessionAt = ({ sessions }: Organisation, index: number): string | null => {
  if (index < 0) return sessions.at(index)?.token ?? null
  const live = sessions.filter(({ end }) => end === null)
  return pick([...live, ...live, ...sessions], index)?.token ?? null
}

const credentialOf = (own: Organisation, { call, who }: CallTemplate): Pick<Call, "secret" | "session"> => {
  const isOfSession = isOfConsole(call) || (who.session !== undefined && own.sessions.length > 0)
  if (!isOfSession) return { secret: secretOf(own, who) }
  return { secret: null, session: who.odd === undefined ? sessionAt(own, who.session ?? 0) : null }
}

const userOf = (own: Organisation, { body }: CallTemplate, session: string | null | undefined): User | undefined => {
  const email: unknown = typeof body === "object" && body !== null && "email" in body ? body.email : undefined
  const users = [...own.users.values()]
  if (typeof email === "object" && email !== null && "@email" in email) return pick(users, Number(email["@email"]))
  const { userId } = own.sessions.find(({ token }) => token === session) ?? {}
  return users.find(({ id }) => id === userId)
}

const matchOf = (own: Organisation, { call, match }: CallTemplate, id: string): string | undefined => {
  if (match === undefined) return undefined
  const record = [own.sites, own.portfolios, own.documents, own.webhooks].map((all) => all.get(id)).find(Boolean)
  const { version } = record ?? (call === "replaceDocumentRequirements" ? own.requirements : { version: 1 })
  return `"${match === "current" ? version : version + 1}"`
}

const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value))

export interface Resolved {
  readonly call: Call
  /** The same call with ids of nothing for the foreign ones; undefined without foreign ones. */
  readonly twin?: Call
  /** Runs before the answer is judged. */
  readonly answered?: (answer: Answer) => Promise<void>
}

export const resolve = (model: ModelState, template: CallTemplate, requestId: string): Resolved => {
  const own = organisationAt(model, template.who.organisation)
  const make = (isTwin: boolean): Call => {
    const credential = credentialOf(own, template)
    const limit = own.keys.find(({ secret }) => secret === credential.secret)?.portfolioIds ?? null
    const outside: Place["outside"] = (kind) =>
      kind === "sites" || kind === "portfolios" || kind === "documents" ? idsOutside(own, limit, [kind]) : []
    const ids = template.ids.map((token) => resolveId(model, own, token, isTwin, outside))
    const match = matchOf(own, template, uuidIn(ids[0]) ?? "")
    const place: Place = { model, own, isTwin, outside, user: userOf(own, template, credential.session) }
    return {
      operation: template.call,
      ids,
      query: (template.query ?? []).map(([name, value]) => [name, textOf(fill(place, value))] as const),
      body: fill(place, template.body),
      headers: {
        ...(match === undefined ? {} : { "if-match": match }),
        ...(template.accept === undefined ? {} : { accept: template.accept }),
        ...(template.idempotencyKey === undefined || isTwin ? {} : { "idempotency-key": template.idempotencyKey })
      },
      ...credential,
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
  const isFile = hasFile(operation)
  // The model makes tables alone for these operations.
  const content = isFile ? bytesOf(body as Table) : JSON.stringify(body)
  return new Request(`${base}${prefix}${filled}${searchOf(query)}`, {
    method,
    headers: {
      ...headers,
      "x-request-id": requestId,
      "user-agent": requestId,
      ...(secret === null ? {} : { "x-api-key": secret }),
      ...(session === undefined ? {} : { origin: new URL(base).origin }),
      ...(typeof session === "string" ? { cookie: `solar_session=${session}` } : {}),
      ...(body === undefined ? {} : { "content-type": isFile ? "text/csv" : "application/json" })
    },
    ...(body === undefined ? {} : { body: content })
  })
}
