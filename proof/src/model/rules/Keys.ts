/**
 * Rules of keys and organisations (specification, sections 6 and 13): what an operator does, keys in the
 * console, and `GET /api/me`.
 */

import { apiScopes } from "@solar-sites/core"
import { ApiScope, Name } from "@solar-sites/core/model"
import { DurationText } from "@solar-sites/core/options"
import { Duration, Schema } from "effect"
import { about, type Expected, emit, idOf, type Origin, ok, type Rule, refused, type Turn } from "../Call.ts"
import { given } from "../Input.ts"
import { Hole, type Instant, later, newId } from "../Match.ts"
import type { Organisation } from "../ModelState.ts"
import type { Key } from "../PeopleState.ts"
import { presentIn } from "../Reach.ts"
import { emitChange } from "../Records.ts"
import { forManager } from "./Roles.ts"
import { end } from "./SessionEnds.ts"

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value))

export const organisationJson = ({ id, name, status }: Organisation) => ({ id, name, status })

/** As lists of keys and `GET /api/me` show it. */
const keyJson = (
  organisation: Organisation,
  { createdAt, createdBy, expiresAt, id, name, portfolioIds, prefix, scopes }: Key
) => ({
  ...{ id, name, prefix, createdBy, createdAt, expiresAt, scopes, portfolioIds: presentIn(organisation, portfolioIds) },
  lastUsedAt: new Hole("an instant or null", (value) => value === null || isTime(value))
})

const keyKind = {
  type: "api_key",
  nameOf: ({ name }: Key) => name,
  members: ["name", "expiresAt", "scopes", "portfolioIds"]
}

/** Shared instants would be narrowed by two readers. */
const copy = (instant: Instant): Instant => ({ ...instant })

export const keyCreated = (origin: Origin, key: Key): void => {
  origin.organisation.keys.push(key)
  emitChange(origin, keyKind, "created", null, key)
}

/** `replacement` was made with the overlap, in milliseconds. */
export const keyRotated = (origin: Origin, key: Key, replacement: Key, overlap: number): void => {
  const end = later(origin.at, overlap)
  const from = copy(key.expiresAt)
  const isShortened = end["@from"] < from["@from"]
  if (isShortened) key.expiresAt = end
  origin.organisation.keys.push(replacement)
  emit(origin, "api_key.rotated", about("api_key", key), null, {
    ...(isShortened ? { expiresAt: { from, to: copy(key.expiresAt) } } : {}),
    replacedBy: { from: null, to: replacement.id }
  })
}

export const keyDeleted = (origin: Origin, key: Key): void => {
  key.deleted = true
  origin.organisation.gone.push(key.id)
  emitChange(origin, keyKind, "deleted", { ...key, expiresAt: copy(key.expiresAt) }, null)
}

export const statusSet = (origin: Origin, status: "active" | "inactive"): void => {
  const { organisation } = origin
  const from = organisation.status
  if (from === status) return
  organisation.status = status
  if (status === "inactive") for (const session of organisation.sessions) end(session, "ended", origin.at["@from"])
  emit(origin, "organisation.updated", about("organisation", organisation), null, { status: { from, to: status } })
}

/** Nothing of it remains but its marker and ids, which no answer may show. */
export const organisationDeleted = (organisation: Organisation): void => {
  for (const key of organisation.keys) key.deleted = true
  organisation.status = "deleted"
  for (const session of organisation.sessions) session.end ??= "any"
  organisation.userLinks = []
  organisation.identities = []
  organisation.loginDomains = []
  const { documents, invitations, portfolios, sites, users, webhooks } = organisation
  for (const records of [sites, portfolios, documents, webhooks, users, invitations]) {
    organisation.gone.push(...records.keys())
    records.clear()
  }
  organisation.imports.clear()
}

const day = 86_400_000

const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3_650 }))

const Request = Schema.Struct({
  name: Name,
  expiresInDays: Schema.optionalKey(Schema.NullOr(Days)),
  scopes: Schema.optionalKey(Schema.NullOr(Schema.Array(ApiScope).check(Schema.isMinLength(1))))
})

type Draft = Pick<Key, "name" | "scopes" | "portfolioIds" | "life">

/** A new key without what the service chooses. */
const draft = (turn: Turn, { life, name, portfolioIds, scopes }: Draft): Key => ({
  ...{ id: "", secret: "", prefix: "", name, scopes, portfolioIds, life },
  ...{ createdBy: turn.caller.userId, createdAt: { ...turn.at }, expiresAt: later(turn.at, life), deleted: false }
})

/** The answer with a new key; its id stores the key. */
const issued = ({ model, whole }: Turn, key: Key, store: () => void): Expected => {
  const prefix = new Hole("a prefix", (found) => {
    key.prefix = String(found)
    return /^sk_live_.{6}$/.test(key.prefix)
  })
  const secret = new Hole("a key", (found) => {
    key.secret = String(found)
    return key.secret.startsWith(key.prefix) && key.secret.length > 40
  })
  const id = newId(model, (found) => {
    key.id = found
    store()
  })
  return ok(201, { ...keyJson(whole, key), id, prefix, key: secret })
}

const ofKey = (answer: (turn: Turn, key: Key) => Expected): Rule =>
  forManager((turn) => {
    const key = turn.organisation.keys.find(({ deleted, id }) => id === idOf(turn) && !deleted)
    return key === undefined ? refused(404, "api_key_not_found") : answer(turn, key)
  })

const Rotation = Schema.Struct({ overlap: Schema.optionalKey(Schema.NullOr(DurationText)) })

const byId = (a: Key, b: Key): number => (a.id < b.id ? -1 : 1)

export const keyRules: Readonly<Record<string, Rule>> = {
  getMe: ({ caller: { key, limit, scopes, userId }, organisation }) =>
    ok(200, {
      organisation: organisationJson(organisation),
      userId,
      apiKey: key && { ...keyJson(organisation, key), organisationId: organisation.id },
      scopes,
      portfolioIds: presentIn(organisation, limit)
    }),
  listApiKeys: forManager(({ organisation }) =>
    ok(200, {
      data: organisation.keys
        .filter(({ deleted }) => !deleted)
        .sort(byId)
        .map((key) => keyJson(organisation, key))
    })
  ),
  createApiKey: forManager((turn) =>
    given(Request, turn.call, ({ expiresInDays, name, scopes }) => {
      const key = draft(turn, {
        name,
        scopes: scopes ?? apiScopes,
        portfolioIds: null,
        life: (expiresInDays ?? 365) * day
      })
      return issued(turn, key, () => keyCreated(turn, key))
    })
  ),
  /** The id is judged before the body; whether there is such a key, afterwards. */
  rotateApiKey: forManager((turn) => {
    if (idOf(turn) === "") return refused(404, "api_key_not_found")
    return given(Rotation, turn.call, ({ overlap }) =>
      ofKey((_, key) => {
        const replacement = draft(turn, key)
        const length = overlap ? Duration.toMillis(overlap) : day
        return issued(turn, replacement, () => keyRotated(turn, key, replacement, length))
      })(turn)
    )
  }),
  deleteApiKey: ofKey((turn, key) => {
    keyDeleted(turn, key)
    return ok(204)
  })
}
