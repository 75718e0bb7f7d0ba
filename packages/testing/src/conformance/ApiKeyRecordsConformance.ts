/**
 * Insertion, look-up, listing and deletion of keys in an `ApiKeyStore`.
 */
import { ApiKeyNotFound, ApiKeyStore, OrganisationNotFound, OrganisationRepository, UserId } from "@solar-sites/core"
import { DateTime, Effect, Option } from "effect"
import { anApiKey, anApiKeyDigest, anOrganisation, anOrganisationId } from "../fixtures.ts"
import { currentApiKey, insertApiKey, type KeyPorts } from "./ApiKeySetup.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import { expectPages, failed, race, refused, repeatedly, succeededOrRefused } from "./Expectations.ts"
import { changedAgainAt, changedAt, hostileTexts, insertOrganisation, secondsBefore } from "./Setup.ts"
import { inBothZones } from "./TimeZone.ts"

const nothing = { items: [], hasMore: false }

export const apiKeyRecordsCases: ReadonlyArray<ConformanceCase<KeyPorts>> = [
  ...inBothZones({
    name: "finds an inserted key unchanged, by id and by digest",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisation = anOrganisation()
      yield* (yield* OrganisationRepository).insert(organisation)
      const expired = DateTime.makeUnsafe("2001-01-01T00:00:00.001Z")
      for (const overrides of [
        {},
        { createdBy: UserId.make('auth0|o\'hara "7" ☀'), lastUsedAt: changedAt },
        // Ids of users belong to the host, in any normal form.
        { createdBy: UserId.make("e\u0301 \u00e9 x\u0302\u0323 \u212b") },
        { createdAt: changedAt, expiresAt: changedAgainAt },
        { expiresAt: expired },
        { scopes: ["documents:approve", "sites:read"] as const },
        ...hostileTexts.map((name) => ({ name })),
        { name: "𝔸".repeat(200), createdBy: UserId.make("u".repeat(200)) }
      ]) {
        const { apiKey, digest } = yield* insertApiKey(organisation.id, overrides)
        assert.deepEqual(yield* currentApiKey(apiKey), apiKey, "by id")
        const found = yield* keys.findByDigest(digest)
        assert.deepEqual(found, Option.some({ apiKey, organisation }), "by digest, expired or not")
        assert.deepEqual(yield* keys.findOwner(apiKey.id), Option.some(organisation.id), "its owner")
      }
    })
  }),
  {
    name: "finds, lists and deletes nothing where there is nothing",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const { id } = anApiKey()
      assert.deepEqual(yield* keys.findByDigest(anApiKeyDigest()), Option.none())
      assert.deepEqual(yield* keys.findOwner(id), Option.none())
      for (const organisationId of [yield* insertOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* keys.findById(organisationId, id), Option.none())
        assert.deepEqual(yield* keys.list(organisationId, { after: null, limit: 10 }), nothing)
        const { apiKeyId } = yield* refused(keys.delete(organisationId, id), ApiKeyNotFound, "deleting nothing")
        assert.equal(apiKeyId, id, "the refusal names the key")
      }
    })
  },
  {
    name: "refuses a key of an organisation that does not exist",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const [apiKey, digest] = [anApiKey(), anApiKeyDigest()]
      const insert = keys.insert(apiKey.organisationId, apiKey, digest)
      const { organisationId } = yield* refused(insert, OrganisationNotFound, "an insert for an absent organisation")
      assert.equal(organisationId, apiKey.organisationId, "the refusal names the organisation")
      assert.deepEqual(yield* keys.findByDigest(digest), Option.none(), "a refused insert stores nothing")
      assert.deepEqual(yield* keys.findOwner(apiKey.id), Option.none(), "a refused insert stores nothing")
    })
  },
  {
    name: "refuses a duplicate id or digest",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const otherId = yield* insertOrganisation()
      const { apiKey, digest } = yield* insertApiKey(organisationId)
      const sameId = anApiKey({ organisationId, id: apiKey.id, name: "Second" })
      yield* failed(keys.insert(organisationId, sameId, anApiKeyDigest()), "an id that is taken")
      for (const owner of [organisationId, otherId]) {
        const insert = keys.insert(owner, anApiKey({ organisationId: owner }), digest)
        yield* failed(insert, "a digest that is taken, in whichever organisation")
      }
      const found = Option.getOrNull(yield* keys.findByDigest(digest))
      assert.deepEqual(found?.apiKey, apiKey, "the first one stays as it was")
    })
  },
  {
    name: "returns the current state of the organisation of a key",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisations = yield* OrganisationRepository
      const organisation = anOrganisation()
      yield* organisations.insert(organisation)
      const { apiKey, digest } = yield* insertApiKey(organisation.id)
      for (const changes of [{ status: "inactive" }, { status: "active", name: "Renamed" }] as const) {
        const updated = Option.getOrThrow(yield* organisations.update(organisation.id, changes))
        const found = yield* keys.findByDigest(digest)
        assert.deepEqual(found, Option.some({ apiKey, organisation: updated }), "by digest")
        const access = yield* keys.findAccess(organisation.id, apiKey.id)
        assert.deepEqual(access, Option.some({ apiKey, organisation: updated }), "by id")
      }
    })
  },
  {
    name: "hides a key from every other organisation",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const { apiKey, digest } = yield* insertApiKey(yield* insertOrganisation())
      for (const stranger of [yield* insertOrganisation(), anOrganisationId()]) {
        assert.deepEqual(yield* keys.findById(stranger, apiKey.id), Option.none(), "findById")
        assert.deepEqual(yield* keys.findAccess(stranger, apiKey.id), Option.none(), "findAccess")
        assert.deepEqual(yield* keys.list(stranger, { after: null, limit: 10 }), nothing, "list")
        yield* refused(keys.delete(stranger, apiKey.id), ApiKeyNotFound, "delete")
        const replacement = anApiKey({ organisationId: stranger })
        const rotation = { replacement, digest: anApiKeyDigest(), expiresAt: apiKey.createdAt }
        yield* refused(keys.rotate(stranger, apiKey.id, rotation), ApiKeyNotFound, "rotate")
        assert.deepEqual(yield* keys.findOwner(replacement.id), Option.none(), "a refused rotation stores nothing")
        yield* keys.recordUses(stranger, [{ apiKeyId: apiKey.id, usedAt: changedAt }])
        assert.deepEqual(yield* currentApiKey(apiKey), apiKey, "what a stranger tries changes nothing")
        const found = Option.getOrNull(yield* keys.findByDigest(digest))
        assert.deepEqual(found?.apiKey, apiKey, "what a stranger tries changes nothing")
      }
    })
  },
  {
    name: "lists in ascending order of id, in pages of any size",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const inOrder = Array.from({ length: 6 }, (_, index) =>
        anApiKey({ organisationId, name: `Key ${9 - index}`, createdAt: secondsBefore(index) })
      )
      for (const apiKey of [3, 0, 5, 1, 4, 2].flatMap((index) => inOrder[index] ?? [])) {
        yield* keys.insert(organisationId, apiKey, anApiKeyDigest())
      }
      yield* insertApiKey(yield* insertOrganisation())
      yield* expectPages((page) => keys.list(organisationId, page), inOrder)
    })
  },
  {
    name: "returns the deleted key and never finds it again",
    check: Effect.gen(function* () {
      const keys = yield* ApiKeyStore
      const organisationId = yield* insertOrganisation()
      const { apiKey, digest } = yield* insertApiKey(organisationId, { lastUsedAt: changedAt, name: "O'Hara" })
      const bystander = yield* insertApiKey(organisationId)
      assert.deepEqual(Option.getOrNull(yield* keys.findByDigest(digest))?.apiKey, apiKey, "it is there before")
      assert.deepEqual(yield* keys.delete(organisationId, apiKey.id), apiKey)
      assert.deepEqual(yield* keys.findByDigest(digest), Option.none(), "by digest")
      assert.deepEqual(yield* keys.findOwner(apiKey.id), Option.none(), "its owner")
      assert.equal(yield* currentApiKey(apiKey), null, "by id")
      assert.deepEqual(yield* keys.findAccess(organisationId, apiKey.id), Option.none(), "with its organisation")
      const listed = yield* keys.list(organisationId, { after: null, limit: 10 })
      assert.deepEqual(listed, { items: [bystander.apiKey], hasMore: false }, "others stay as they were")
      yield* refused(keys.delete(organisationId, apiKey.id), ApiKeyNotFound, "a second delete")
    })
  },
  {
    name: "lets one of two concurrent deletes succeed",
    check: repeatedly(
      Effect.gen(function* () {
        const keys = yield* ApiKeyStore
        const { apiKey } = yield* insertApiKey(yield* insertOrganisation())
        const remove = keys.delete(apiKey.organisationId, apiKey.id)
        const results = yield* race(remove, remove)
        const wins = results.map((result) => succeededOrRefused(result, ApiKeyNotFound, "the other one finds nothing"))
        assert.deepEqual(wins.toSorted(), [false, true], "one of them deleted it")
      })
    )
  }
]
