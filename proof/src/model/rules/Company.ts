/**
 * Rules of the company profile: API keys, and the organisation itself (specification, sections 6 and 13).
 */
import { ApiScope, Name } from "@solar-sites/core/model"
import { DurationText } from "@solar-sites/core/options"
import { Duration, Schema } from "effect"
import { type Expected, idOf, ok, type Rule, refused, type Turn } from "../Call.ts"
import { given } from "../Input.ts"
import { later } from "../Instant.ts"
import { Hole, newId } from "../Match.ts"
import { allScopes } from "../operations.ts"
import type { Key } from "../PeopleState.ts"
import { keyCreated, keyDeleted, keyJson, keyRotated } from "./Keys.ts"
import { forManager } from "./Roles.ts"

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

const createApiKey = forManager((turn) =>
  given(Request, turn.call, ({ expiresInDays, name, scopes }) => {
    const key = draft(turn, {
      name,
      scopes: scopes ?? allScopes,
      portfolioIds: null,
      life: (expiresInDays ?? 365) * day
    })
    return issued(turn, key, () => keyCreated(turn, key))
  })
)

const ofKey = (answer: (turn: Turn, key: Key) => Expected): Rule =>
  forManager((turn) => {
    const key = turn.organisation.keys.find(({ deleted, id }) => id === idOf(turn) && !deleted)
    return key === undefined ? refused(404, "api_key_not_found") : answer(turn, key)
  })

const Rotation = Schema.Struct({ overlap: Schema.optionalKey(Schema.NullOr(DurationText)) })

/** The id is judged before the body; whether there is such a key, afterwards. */
const rotateApiKey: Rule = forManager((turn) => {
  if (idOf(turn) === "") return refused(404, "api_key_not_found")
  return given(Rotation, turn.call, ({ overlap }) =>
    ofKey((_, key) => {
      const replacement = draft(turn, key)
      const length = overlap ? Duration.toMillis(overlap) : day
      return issued(turn, replacement, () => keyRotated(turn, key, replacement, length))
    })(turn)
  )
})

const byId = (a: Key, b: Key): number => (a.id < b.id ? -1 : 1)

export const companyRules: Readonly<Record<string, Rule>> = {
  listApiKeys: forManager(({ organisation }) =>
    ok(200, {
      data: organisation.keys
        .filter(({ deleted }) => !deleted)
        .sort(byId)
        .map((key) => keyJson(organisation, key))
    })
  ),
  createApiKey,
  rotateApiKey,
  deleteApiKey: ofKey((turn, key) => {
    keyDeleted(turn, key)
    return ok(204)
  })
}
