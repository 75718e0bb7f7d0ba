/**
 * Rules of keys and organisations (specification, sections 6 and 13): what an operator does, and
 * `GET /api/me`.
 */
import { emit, type Origin, ok, type Rule } from "../Call.ts"
import { type Instant, later } from "../Instant.ts"
import { Hole } from "../Match.ts"
import type { Organisation } from "../ModelState.ts"
import type { Key } from "../PeopleState.ts"
import { presentIn } from "../Reach.ts"
import { end } from "./SessionEnds.ts"

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value))

export const organisationJson = ({ id, name, status }: Organisation) => ({ id, name, status })

/** As lists of keys and `GET /api/me` show it. */
export const keyJson = (
  organisation: Organisation,
  { createdAt, createdBy, expiresAt, id, name, portfolioIds, prefix, scopes }: Key
) => ({
  ...{ id, name, prefix, createdBy, createdAt, expiresAt, scopes, portfolioIds: presentIn(organisation, portfolioIds) },
  lastUsedAt: new Hole("an instant or null", (value) => value === null || isTime(value))
})

const getMe: Rule = ({ caller: { key, limit, scopes, userId }, organisation }) =>
  ok(200, {
    organisation: organisationJson(organisation),
    userId,
    apiKey: key && { ...keyJson(organisation, key), organisationId: organisation.id },
    scopes,
    portfolioIds: presentIn(organisation, limit)
  })

export const keyRules: Readonly<Record<string, Rule>> = { getMe }

const emitKey = (origin: Origin, type: string, { id, name }: Key, changes: Readonly<Record<string, unknown>>): void => {
  const isDeleted = type === "deleted"
  const entries = Object.entries(changes).flatMap(([member, value]) => (value === null ? [] : [[member, value]]))
  const named = entries.map(([member, value]) => [
    member,
    isDeleted ? { from: value, to: null } : { from: null, to: value }
  ])
  emit(origin, `api_key.${type}`, { type: "api_key", id, name }, null, Object.fromEntries(named))
}

/** Shared instants would be narrowed by two readers. */
const copy = (instant: Instant): Instant => ({ ...instant })

export const keyCreated = (origin: Origin, key: Key): void => {
  origin.organisation.keys.push(key)
  const { expiresAt, name, portfolioIds, scopes } = key
  emitKey(origin, "created", key, { name, expiresAt, scopes, portfolioIds })
}

/** `replacement` was made with the overlap, in milliseconds. */
export const keyRotated = (origin: Origin, key: Key, replacement: Key, overlap: number): void => {
  const end = later(origin.at, overlap)
  const from = copy(key.expiresAt)
  const isShortened = end["@from"] < from["@from"]
  if (isShortened) key.expiresAt = end
  origin.organisation.keys.push(replacement)
  const subject = { type: "api_key", id: key.id, name: key.name }
  emit(origin, "api_key.rotated", subject, null, {
    ...(isShortened ? { expiresAt: { from, to: copy(key.expiresAt) } } : {}),
    replacedBy: { from: null, to: replacement.id }
  })
}

export const keyDeleted = (origin: Origin, key: Key): void => {
  key.deleted = true
  origin.organisation.gone.push(key.id)
  const { expiresAt, name, portfolioIds, scopes } = key
  emitKey(origin, "deleted", key, { name, expiresAt: copy(expiresAt), scopes, portfolioIds })
}

export const statusSet = (origin: Origin, status: "active" | "inactive"): void => {
  const { organisation } = origin
  const from = organisation.status
  if (from === status) return
  organisation.status = status
  if (status === "inactive") for (const session of organisation.sessions) end(session, "ended", origin.at["@from"])
  const subject = { type: "organisation", id: organisation.id, name: organisation.name }
  emit(origin, "organisation.updated", subject, null, { status: { from, to: status } })
}

/** Nothing of it remains but its marker and ids, which no answer may show. */
export const organisationDeleted = (organisation: Organisation): void => {
  for (const key of organisation.keys) key.deleted = true
  organisation.status = "deleted"
  organisation.gone.push(
    ...organisation.sites.keys(),
    ...organisation.portfolios.keys(),
    ...organisation.documents.keys()
  )
  organisation.gone.push(
    ...organisation.webhooks.keys(),
    ...organisation.users.keys(),
    ...organisation.invitations.keys()
  )
  for (const session of organisation.sessions) session.end ??= "any"
  organisation.userLinks = []
  organisation.identities = []
  organisation.loginDomains = []
  const { documents, imports, invitations, portfolios, sites, users, webhooks } = organisation
  for (const records of [sites, portfolios, documents, webhooks, users, invitations, imports]) records.clear()
}
