/**
 * Promises of every `ApiKeyStore`: look-ups and uses of keys that `Records` stores. Organisations are part of the
 * setup.
 */
import { ApiKey, ApiKeyStore, OrganisationRepository, UserId } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest, anOrganisation, anOrganisationId } from "../fixtures.ts"
import { currentApiKey, insertApiKey, type KeyPorts } from "./ApiKeySetup.ts"
import { assert } from "./Assert.ts"
import type { ConformanceSuite } from "./Conformance.ts"
import { apiKeyFailures } from "./FailureConformance.ts"
import { apiKeyMethods } from "./Methods.ts"
import {
  changedAgainAt,
  changedAt,
  hostileTexts,
  insertOrganisation,
  insertPortfolio,
  updateOrganisation
} from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const first = DateTime.makeUnsafe("2026-05-01T10:00:00.100Z")
const second = DateTime.makeUnsafe("2026-05-01T10:00:00.101Z")
const third = DateTime.makeUnsafe("2026-05-01T10:00:30.000Z")

export const apiKeyStoreConformance: ConformanceSuite<KeyPorts> = {
  port: "ApiKeyStore",
  failures: apiKeyFailures,
  cases: [
    ...inBothZones({
      name: "finds an inserted key unchanged, by id and by digest",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const organisation = anOrganisation()
        yield* (yield* OrganisationRepository).insert(organisation)
        const { id: portfolioId } = yield* insertPortfolio(organisation.id)
        const { id: otherId } = yield* insertPortfolio(organisation.id)
        const expired = DateTime.makeUnsafe("2001-01-01T00:00:00.001Z")
        for (const overrides of [
          {},
          { createdBy: UserId.make('auth0|o\'hara "7" ☀'), lastUsedAt: changedAt },
          // Ids of users belong to the host, in any normal form.
          { createdBy: UserId.make("e\u0301 \u00e9 x\u0302\u0323 \u212b") },
          { createdAt: changedAt, expiresAt: changedAgainAt },
          { expiresAt: expired },
          { scopes: ["documents:approve", "sites:read"] as const },
          { portfolioIds: [otherId, portfolioId] },
          { portfolioIds: [] },
          ...hostileTexts.map((name) => ({ name })),
          { name: "𝔸".repeat(200), createdBy: UserId.make("u".repeat(200)) }
        ]) {
          const { apiKey, digest } = yield* insertApiKey(organisation.id, overrides)
          assert.deepEqual(yield* currentApiKey(apiKey), apiKey, "by id")
          const found = yield* keys.findAcrossOrganisations({ digest })
          assert.deepEqual(found, Option.some({ apiKey, organisation }), "by digest, expired or not")
          const byId = yield* keys.findAcrossOrganisations({ apiKeyId: apiKey.id })
          assert.deepEqual(byId, found, "by id in all organisations")
        }
      })
    }),
    {
      name: "finds nothing where there is nothing",
      check: Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const { id } = anApiKey()
        assert.deepEqual(yield* keys.findAcrossOrganisations({ digest: anApiKeyDigest() }), Option.none())
        assert.deepEqual(yield* keys.findAcrossOrganisations({ apiKeyId: id }), Option.none())
        for (const organisationId of [yield* insertOrganisation(), anOrganisationId()]) {
          assert.deepEqual(yield* keys.findAccess(organisationId, id), Option.none())
        }
      })
    },
    {
      name: "returns the current state of the organisation of a key",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const organisations = yield* OrganisationRepository
        const organisation = anOrganisation()
        yield* organisations.insert(organisation)
        const { apiKey, digest } = yield* insertApiKey(organisation.id)
        for (const changes of [{ status: "inactive" }, { status: "active", name: "Renamed" }] as const) {
          const updated = Option.getOrThrow(yield* updateOrganisation(organisation.id, changes))
          const found = yield* keys.findAcrossOrganisations({ digest })
          assert.deepEqual(found, Option.some({ apiKey, organisation: updated }), "by digest")
          const access = yield* keys.findAccess(organisation.id, apiKey.id)
          assert.deepEqual(access, Option.some({ apiKey, organisation: updated }), "by id")
        }
      })
    },
    {
      name: "hides a key from every other organisation",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const { apiKey, digest } = yield* insertApiKey(yield* insertOrganisation())
        for (const stranger of [yield* insertOrganisation(), anOrganisationId()]) {
          assert.deepEqual(yield* keys.findAccess(stranger, apiKey.id), Option.none(), "findAccess")
          yield* keys.recordUses(stranger, [{ apiKeyId: apiKey.id, usedAt: changedAt }])
          assert.deepEqual(yield* currentApiKey(apiKey), apiKey, "what a stranger tries changes nothing")
          const found = Option.getOrNull(yield* keys.findAcrossOrganisations({ digest }))
          assert.deepEqual(found?.apiKey, apiKey, "what a stranger tries changes nothing")
        }
      })
    },
    {
      name: "never finds a deleted key again",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const organisationId = yield* insertOrganisation()
        const { apiKey, digest } = yield* insertApiKey(organisationId, { lastUsedAt: changedAt, name: "O'Hara" })
        const bystander = yield* insertApiKey(organisationId)
        assert.deepEqual(
          Option.getOrNull(yield* keys.findAcrossOrganisations({ digest }))?.apiKey,
          apiKey,
          "it is there before"
        )
        assert.deepEqual(yield* keys.delete(organisationId, apiKey.id), apiKey)
        assert.deepEqual(yield* keys.findAcrossOrganisations({ digest }), Option.none(), "by digest")
        assert.deepEqual(
          yield* keys.findAcrossOrganisations({ apiKeyId: apiKey.id }),
          Option.none(),
          "by id in all organisations"
        )
        assert.equal(yield* currentApiKey(apiKey), null, "by id")
        assert.deepEqual(yield* keys.findAccess(organisationId, apiKey.id), Option.none(), "with its organisation")
        assert.deepEqual(yield* currentApiKey(bystander.apiKey), bystander.apiKey, "others stay as they were")
      })
    },
    {
      name: "records the latest use of each key and changes nothing else",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const organisationId = yield* insertOrganisation()
        const [one, two, unused] = [
          yield* insertApiKey(organisationId, { name: "O'Hara" }),
          yield* insertApiKey(organisationId, { lastUsedAt: second }),
          yield* insertApiKey(organisationId)
        ]
        const expectUses = Effect.fnUntraced(function* (ofOne: DateTime.Utc, ofTwo: DateTime.Utc, promise: string) {
          assert.deepEqual(yield* currentApiKey(one.apiKey), new ApiKey({ ...one.apiKey, lastUsedAt: ofOne }), promise)
          assert.deepEqual(yield* currentApiKey(two.apiKey), new ApiKey({ ...two.apiKey, lastUsedAt: ofTwo }), promise)
          assert.deepEqual(
            yield* currentApiKey(unused.apiKey),
            unused.apiKey,
            "a key that was not used stays as it was"
          )
        })
        const use = ({ apiKey }: typeof one, usedAt: DateTime.Utc) => ({ apiKeyId: apiKey.id, usedAt })
        yield* keys.recordUses(organisationId, [])
        yield* keys.recordUses(organisationId, [use(one, second), use(two, first)])
        yield* expectUses(second, second, "a first use is noted; an earlier one never overwrites a later one")
        yield* keys.recordUses(organisationId, [use(one, third), use(two, third)])
        yield* expectUses(third, third, "a later use is noted")
        yield* keys.recordUses(organisationId, [use(one, first), use(two, second)])
        yield* expectUses(third, third, "the last use never goes backwards")
      })
    },
    {
      name: "ignores uses of deleted keys and of another organisation's",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const organisationId = yield* insertOrganisation()
        const [deleted, kept] = [yield* insertApiKey(organisationId), yield* insertApiKey(organisationId)]
        const foreign = yield* insertApiKey(yield* insertOrganisation())
        yield* keys.delete(organisationId, deleted.apiKey.id)
        const used = [deleted.apiKey.id, anApiKey().id, foreign.apiKey.id, kept.apiKey.id]
        yield* keys.recordUses(
          organisationId,
          used.map((apiKeyId) => ({ apiKeyId, usedAt: third }))
        )
        assert.deepEqual(
          yield* currentApiKey(kept.apiKey),
          new ApiKey({ ...kept.apiKey, lastUsedAt: third }),
          "the key there is"
        )
        assert.equal(yield* currentApiKey(deleted.apiKey), null, "a use brings no deleted key back")
        assert.deepEqual(
          yield* currentApiKey(foreign.apiKey),
          foreign.apiKey,
          "another organisation's key stays as it was"
        )
      })
    },
    {
      name: "keeps the latest of concurrent uses",
      check: Effect.gen(function* () {
        const keys = yield* apiKeyMethods
        const organisationId = yield* insertOrganisation()
        const { apiKey } = yield* insertApiKey(organisationId)
        const { apiKey: other } = yield* insertApiKey(organisationId)
        const record = (usedAt: DateTime.Utc, index: number) => {
          const uses = [apiKey, other].map(({ id }) => ({ apiKeyId: id, usedAt }))
          return keys.recordUses(organisationId, index % 2 === 0 ? uses : uses.toReversed())
        }
        const times = [first, third, second, first, third, second]
        yield* Effect.forEach(times, record, { concurrency: "unbounded" })
        for (const key of [apiKey, other]) {
          assert.deepEqual((yield* currentApiKey(key))?.lastUsedAt, third, "the latest use, in any order")
        }
      })
    }
  ]
}
