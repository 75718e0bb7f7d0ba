/**
 * Rules of the company profile: API keys, and the organisation itself (specification, sections 6 and 13).
 */
import { type Expected, emit, idOf, invalid, ok, type Rule, refused, type Turn } from "../Call.ts"
import { Hole, newId } from "../Match.ts"
import { type Member, type Members, name, number, read } from "../Members.ts"
import { type Key, later } from "../ModelState.ts"
import { allScopes } from "../operations.ts"
import { keyCreated, keyDeleted, keyJson, keyRotated } from "./Keys.ts"
import { forManager, roleInsufficient, userOf } from "./Roles.ts"

const day = 86_400_000

const isScope = (value: unknown) => allScopes.some((scope) => scope === value)

const scopes: Member = {
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isScope),
  inside: (value, pointer) =>
    Array.isArray(value) && value.length > 0
      ? value.flatMap((one, index) => (isScope(one) ? [] : [`${pointer}/${index}`]))
      : [pointer]
}

const request: Members = {
  name,
  expiresInDays: number((value) => Number.isInteger(value) && value >= 1 && value <= 3_650),
  scopes
}

/** A new key without what the service chooses. */
const draft = (turn: Turn, shown: Pick<Key, "name" | "scopes" | "life">): Key => ({
  ...{ id: "", secret: "", prefix: "", name: shown.name, scopes: shown.scopes, life: shown.life },
  ...{ createdBy: turn.caller.userId, createdAt: { ...turn.at }, expiresAt: later(turn.at, shown.life), deleted: false }
})

/** The answer with a new key; its id stores the key. */
const issued = ({ model }: Turn, key: Key, store: () => void): Expected => {
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
  return ok(201, { ...keyJson(key), id, prefix, key: secret })
}

const createApiKey = forManager((turn) => {
  const { pointers, values } = read(request, [], turn.call.body, "create")
  if (pointers.length > 0) return invalid(pointers)
  const { expiresInDays = 365, scopes: chosen = allScopes } = values
  const key = draft(turn, {
    name: String(values["name"]),
    scopes: chosen as Key["scopes"], // Scopes, as the table says.
    life: Number(expiresInDays) * day
  })
  return issued(turn, key, () => keyCreated(turn, key))
})

const ofKey = (answer: (turn: Turn, key: Key) => Expected): Rule =>
  forManager((turn) => {
    const key = turn.organisation.keys.find(({ deleted, id }) => id === idOf(turn) && !deleted)
    return key === undefined ? refused(404, "api_key_not_found") : answer(turn, key)
  })

const overlaps: Readonly<Record<string, number>> = { "0s": 0, "1h": 3_600_000 }

const overlap: Member = { holds: (value) => typeof value === "string" && value in overlaps }

const rotateApiKey: Rule = forManager((turn) => {
  // The id is judged before the body; whether there is such a key, afterwards.
  const { pointers, values } = read({ overlap }, [], turn.call.body, "create")
  const known = ofKey((_, key) => {
    const replacement = draft(turn, key)
    const length = overlaps[String(values["overlap"])] ?? day
    return issued(turn, replacement, () => keyRotated(turn, key, replacement, length))
  })
  if (idOf(turn) === "") return refused(404, "api_key_not_found")
  return pointers.length > 0 ? invalid(pointers) : known(turn)
})

const renameOrganisation: Rule = (turn) => {
  const { organisation } = turn
  if (userOf(turn).role !== "owner") return roleInsufficient
  const { pointers, values } = read({ name }, [], turn.call.body, "create")
  if (pointers.length > 0) return invalid(pointers)
  const from = organisation.name
  organisation.name = String(values["name"])
  if (organisation.name !== from) {
    const subject = { type: "organisation", id: organisation.id, name: organisation.name }
    emit(turn, "organisation.updated", subject, null, { name: { from, to: organisation.name } })
  }
  return ok(200, { id: organisation.id, name: organisation.name, requireSecondFactor: false, loginDomains: [] })
}

/** Numbers of records. A key may end within the time of the call. */
const getOrganisationUse: Rule = ({ at, organisation }) => {
  const { documents, keys, portfolios, sites, users, webhooks } = organisation
  const stored = [...documents.values()].filter(({ status }) => ["uploaded", "approved", "completed"].includes(status))
  const live = (now: number) => keys.filter(({ deleted, expiresAt }) => !deleted && expiresAt["@from"] > now).length
  const { "@from": from, "@to": to } = at
  return ok(200, {
    ...{ sites: sites.size, portfolios: portfolios.size, documents: documents.size, measuredDocuments: documents.size },
    ...{ webhooks: webhooks.size, users: users.size },
    bytes: stored.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0),
    apiKeys: new Hole("live keys", (found) => Number(found) <= live(from) && Number(found) >= live(to)),
    limits: { apiKeys: 100, webhooks: 20, requirements: 200 }
  })
}

const byId = (a: Key, b: Key): number => (a.id < b.id ? -1 : 1)

export const companyRules: Readonly<Record<string, Rule>> = {
  listApiKeys: forManager(({ organisation }) =>
    ok(200, {
      data: organisation.keys
        .filter(({ deleted }) => !deleted)
        .sort(byId)
        .map(keyJson)
    })
  ),
  createApiKey,
  rotateApiKey,
  deleteApiKey: ofKey((turn, key) => {
    keyDeleted(turn, key)
    return ok(204)
  }),
  renameOrganisation,
  getOrganisationUse
}
