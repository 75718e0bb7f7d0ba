/**
 * Rules of the company profile: API keys, and the organisation itself (specification, sections 6 and 13).
 */
import { type Expected, idOf, invalid, ok, type Rule, refused, type Turn } from "../Call.ts"
import { later } from "../Instant.ts"
import { Hole, newId } from "../Match.ts"
import { type Member, type Members, name, number, read } from "../Members.ts"
import { allScopes } from "../operations.ts"
import type { Key } from "../PeopleState.ts"
import { keyCreated, keyDeleted, keyJson, keyRotated } from "./Keys.ts"
import { forManager } from "./Roles.ts"

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
  })
}
