/**
 * Stored equals sent: what a write answers and what a later GET gives is what was sent, in normal
 * form, with the defaults of the specification.
 */
import { isDeepStrictEqual } from "node:util"
import { emptySiteMembers } from "@solar-sites/core/model"
import { type Answer, normalised, parsed, type Sent } from "./Judge.ts"
import type { Ask } from "./Target.ts"

type Members = Readonly<Record<string, unknown>>

const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null ? { ...value } : {})
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Members of one kind of resource that a caller sets, with the value of a new one without them. */
const settable = {
  site: { siteName: undefined, capacity: undefined, unit: undefined, ...emptySiteMembers },
  portfolio: { name: undefined, externalId: null },
  document: { filename: undefined, documentType: null, note: null, validFrom: null, validUntil: null },
  webhook: { url: undefined, events: undefined, description: null, enabled: true },
  requirement: { documentType: undefined, validityRequired: false, portfolioId: null, expiringWithinDays: 30 }
} as const

type Kind = keyof typeof settable

const managerDefaults = { email: null, phone: null, company: null, userId: null }

/** Equal texts in normal form, equal ids in any letter case, members in any order; `-0` is 0. */
const comparable = (name: string, value: unknown): unknown => {
  if (name === "siteManager" && typeof value === "object" && value !== null) {
    return comparable("", { ...managerDefaults, ...value })
  }
  if (name === "portfolioId" && typeof value === "string") return value.toLowerCase()
  // A filename is kept as it was sent.
  if (name === "filename") return value
  const isAddress = name === "url" || name === "coverImageUrl"
  const text = JSON.stringify(isAddress ? value : normalised(value), (_, member) =>
    Object.is(member, -0) ? 0 : member
  )
  return text === undefined ? undefined : JSON.parse(text)
}

/** `before` is the resource before a change; undefined for a new one. */
const differences = (
  where: string,
  kind: Kind,
  sent: unknown,
  answered: unknown,
  before?: unknown
): ReadonlyArray<string> => {
  const [was, is, asked] = [membersOf(before), membersOf(answered), membersOf(sent)]
  const isNew = before === undefined
  return Object.entries(settable[kind]).flatMap(([name, initial]) => {
    const isGiven = Object.hasOwn(asked, name) && !(isNew && asked[name] === null)
    const cleared = asked[name] === null && !isNew ? initial : asked[name]
    const expected = comparable(name, isGiven ? cleared : isNew ? initial : was[name])
    const found = comparable(name, is[name])
    return isDeepStrictEqual(expected, found)
      ? []
      : [`${where}.${name} is ${JSON.stringify(found)}, but ${JSON.stringify(expected)} was sent or stored`]
  })
}

// Changes by other means, or signed anew.
const volatile = new Set(["updatedAt", "version", "coverImageUrl", "lastDelivery", "secret", "siteCount", "capacityKw"])

const steady = (resource: unknown): Members =>
  Object.fromEntries(Object.entries(membersOf(resource)).filter(([name]) => !volatile.has(name)))

const unlikeRead = async (ask: Ask, path: string, answered: unknown): Promise<ReadonlyArray<string>> => {
  const read = await ask(`GET ${path}/${membersOf(answered)["id"]}`)
  return isDeepStrictEqual(steady(read), steady(answered))
    ? []
    : [`GET answers ${JSON.stringify(read)}, the write answered ${JSON.stringify(answered)}`]
}

const ofDocuments = async (body: Members, answered: Members, ask: Ask): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const [index, result] of listOf(answered["results"]).entries()) {
    const { documentId, success } = membersOf(result)
    if (success !== true) continue
    const document = await ask(`GET /api/docs/${documentId}`)
    const sent = listOf(body["files"])[index]
    faults.push(...differences(`files[${index}]`, "document", sent, document))
    const { siteId, sizeBytes, type } = document
    const { fileSize = null } = membersOf(sent)
    const wanted = [String(body["siteId"]).toLowerCase(), comparable("", fileSize), body["fileType"]]
    if (!isDeepStrictEqual([siteId, sizeBytes, type], wanted))
      faults.push(`the document is ${JSON.stringify(document)}`)
  }
  return faults
}

/** Items of a request and of its answer, in pairs. */
const each = (kind: Kind, sent: ReadonlyArray<unknown>, answered: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  sent.length === answered.length
    ? sent.flatMap((item, index) => differences(`[${index}]`, kind, item, answered[index]))
    : [`${sent.length} were sent, ${answered.length} answered`]

const ofBulk = (body: Members, answered: Members): ReadonlyArray<string> => {
  const results = listOf(answered["data"]).map(membersOf)
  // An upsert keeps what another request has stored.
  const isNew = results.every(({ result }) => result === "created")
  const sites = results.map(({ site }) => site)
  return isNew ? each("site", listOf(body["sites"]), sites) : []
}

/** Faults of a successful write; none of any other. `before` is what a PUT has changed. */
export const faultsOfStored = async (
  sent: Sent,
  answer: Answer,
  before: unknown,
  ask: Ask
): Promise<ReadonlyArray<string>> => {
  if (answer.status >= 300 || answer.headers.get("idempotency-replayed") !== null || sent.body === undefined) return []
  const read = parsed(sent.body)
  if (read === "malformed") return []
  const body = membersOf(read.value)
  const answered = membersOf(JSON.parse(answer.text))
  const one = (kind: Kind) => differences(kind, kind, body, answered, before)
  switch (sent.line) {
    case "POST /api/sites":
    case "PUT /api/sites/{id}":
      return [...one("site"), ...(await unlikeRead(ask, "/api/sites", answered))]
    case "POST /api/sites/bulk":
      return ofBulk(body, answered)
    case "POST /api/portfolios":
      return each("portfolio", listOf(body["portfolios"] ?? read.value), listOf(answered["data"]))
    case "PUT /api/portfolios/{id}":
      return [...one("portfolio"), ...(await unlikeRead(ask, "/api/portfolios", answered))]
    case "PUT /api/docs/{id}":
      return [...one("document"), ...(await unlikeRead(ask, "/api/docs", answered))]
    case "POST /api/docs/bulk-upload-url":
      return ofDocuments(body, answered, ask)
    case "PUT /api/document-requirements":
      return Object.hasOwn(body, "requirements")
        ? each("requirement", listOf(body["requirements"]), listOf(answered["requirements"]))
        : []
    case "POST /api/webhooks":
    case "PUT /api/webhooks/{id}":
      return [...one("webhook"), ...(await unlikeRead(ask, "/api/webhooks", answered))]
    default:
      return []
  }
}
