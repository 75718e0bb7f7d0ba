import { describe, expect, it } from "@effect/vitest"
import { apiKeyKind, apiKeyOf, foundOf, maximumLiveApiKeys, Revision } from "@solar-sites/core"
import { anApiKey, anApiKeyDigest, aPortfolio } from "@solar-sites/testing"
import { DateTime, Duration, Result } from "effect"
import { liveApiKeys } from "../../src/api-keys/ApiKeyKind.ts"
import {
  assumedForCreation,
  createApiKey,
  deleteApiKey,
  findsOfCreation,
  findsOfKey,
  newApiKey,
  rotateApiKey
} from "../../src/api-keys/ApiKeyRules.ts"
import { organisationReference } from "../../src/records/OrganisationReference.ts"
import { portfolioReference } from "../../src/sites/SiteKind.ts"
import { at, organisationId, origin } from "../records/deciding.ts"

const later = DateTime.addDuration(at, Duration.hours(24))

const record = (overrides: Parameters<typeof anApiKey>[0] = {}) =>
  newApiKey(anApiKey({ organisationId, ...overrides }), anApiKeyDigest())

/** What a load finds of a key, or what a commit has found out about its bound. */
const found = (key: ReturnType<typeof record> | null, ...full: ReadonlyArray<string>) =>
  foundOf(
    [
      {
        find: { kind: apiKeyKind, by: "id", values: [] },
        stored: key ? [{ record: key, revision: Revision("1") }] : []
      }
    ],
    { full }
  )

const withOrganisation = (...full: ReadonlyArray<string>) => foundOf(assumedForCreation(record()).answers, { full })

const refusal = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure : "decided"

const decided = <A>(result: Result.Result<A, unknown>): A => {
  if (Result.isFailure(result)) throw new Error("it was refused")
  return result.success
}

describe("a live key", () => {
  it("counts before its end", () => {
    const holds = (instant: DateTime.Utc) => apiKeyKind.bounds[0]?.holds(record({ expiresAt: later }), instant)
    expect(holds(DateTime.subtract(later, { milliseconds: 1 }))).toBe(true)
    expect(holds(later)).toBe(false)
    expect(apiKeyKind.bounds[0]).toMatchObject({ name: liveApiKeys, maximum: maximumLiveApiKeys })
  })
})

describe("createApiKey", () => {
  const after = record({ name: "Reporting", expiresAt: later, scopes: ["sites:read"] })
  const create = createApiKey(after, null, origin)

  it("stores the key with its event when nothing stands against it", () => {
    const { change } = decided(create(assumedForCreation(after)))
    expect(change?.writes).toEqual([{ kind: apiKeyKind, id: after.id, before: null, after }])
    expect(change?.at).toBe(after.createdAt)
    expect(change?.events).toEqual([
      {
        type: "api_key.created",
        subjectId: after.id,
        subjectName: "Reporting",
        siteId: null,
        changes: {
          name: { from: null, to: "Reporting" },
          expiresAt: { from: null, to: DateTime.formatIso(later) },
          scopes: { from: null, to: ["sites:read"] }
        }
      }
    ])
    expect(after.issuedUntil).toBe(later)
  })

  it("refuses in the order organisation, maximum", () => {
    const absent = foundOf([], { full: [liveApiKeys] })
    expect(refusal(create(absent))).toMatchObject({ _tag: "OrganisationNotFound", organisationId })
    const full = { _tag: "TooManyApiKeys", maximum: maximumLiveApiKeys }
    expect(refusal(create(withOrganisation(liveApiKeys)))).toMatchObject(full)
    expect(refusal(create(withOrganisation()))).toBe("decided")
  })

  it("reads the organisation, and portfolios where the key has some", () => {
    const organisation = { kind: organisationReference, by: "id", values: [organisationId] }
    expect(findsOfCreation(after)).toEqual([organisation])
    const portfolioIds = [aPortfolio().id]
    const portfolios = { kind: portfolioReference, by: "id", values: portfolioIds }
    expect(findsOfCreation(record({ portfolioIds }))).toEqual([organisation, portfolios])
  })
})

describe("deleteApiKey", () => {
  const key = record({ name: "Reporting" })

  it("removes the key with its event, and answers it without hidden members", () => {
    const { answer, change } = decided(deleteApiKey(key.id, origin)(found(key)))
    expect(answer).toEqual(apiKeyOf(key))
    expect(answer).not.toHaveProperty("digest")
    expect(change?.writes).toMatchObject([{ id: key.id, before: { record: key, revision: "1" }, after: null }])
    expect(change?.events).toMatchObject([
      { type: "api_key.deleted", subjectId: key.id, changes: { name: { from: "Reporting", to: null } } }
    ])
  })

  it("refuses an absent key", () => {
    expect(refusal(deleteApiKey(key.id, origin)(found(null)))).toMatchObject({
      _tag: "ApiKeyNotFound",
      apiKeyId: key.id
    })
    expect(findsOfKey(key.id)).toEqual([{ kind: apiKeyKind, by: "id", values: [key.id] }])
  })
})

describe("rotateApiKey", () => {
  const life = Duration.days(30)
  const createdAt = DateTime.makeUnsafe("2026-05-20T12:00:00Z")
  const end = DateTime.addDuration(createdAt, life)
  const old = record({ createdAt, expiresAt: end, lastUsedAt: createdAt })
  const { expiresAt: _, ...replacement } = anApiKey({ organisationId, createdAt: at, name: "Next" })
  const digest = anApiKeyDigest()
  const rotation = { organisationId, apiKeyId: old.id, replacement, digest }
  const rotate = (expiresAt: DateTime.Utc, key = old) =>
    decided(rotateApiKey({ ...rotation, expiresAt }, origin)(found(key)))

  it("ends the old key, and stores a replacement with its lifetime", () => {
    const { answer, change } = rotate(later)
    const expiresAt = DateTime.addDuration(at, life)
    expect(answer).toEqual(anApiKey({ ...replacement, expiresAt }))
    expect(change?.at).toBe(at)
    expect(change?.writes).toEqual([
      { kind: apiKeyKind, id: old.id, before: { record: old, revision: "1" }, after: { ...old, expiresAt: later } },
      { kind: apiKeyKind, id: replacement.id, before: null, after: { ...answer, digest, issuedUntil: expiresAt } }
    ])
    expect(change?.events).toEqual([
      {
        type: "api_key.rotated",
        subjectId: old.id,
        subjectName: old.name,
        siteId: null,
        changes: {
          expiresAt: { from: DateTime.formatIso(end), to: DateTime.formatIso(later) },
          replacedBy: { from: null, to: replacement.id }
        }
      }
    ])
  })

  it("never extends a life, and gives a replacement the original one after an earlier rotation", () => {
    const rotated = newApiKey(anApiKey({ ...apiKeyOf(old), expiresAt: at }), old.digest)
    const { answer, change } = rotate(later, { ...rotated, issuedUntil: end })
    expect(change?.writes[0]?.after).toMatchObject({ expiresAt: at, issuedUntil: end })
    expect(change?.events[0]?.changes).toEqual({ replacedBy: { from: null, to: replacement.id } })
    expect(answer.expiresAt).toEqual(DateTime.addDuration(at, life))
  })

  it("refuses in the order key, maximum", () => {
    const rule = rotateApiKey({ ...rotation, expiresAt: later }, origin)
    expect(refusal(rule(found(null, liveApiKeys)))).toMatchObject({ _tag: "ApiKeyNotFound", apiKeyId: old.id })
    expect(refusal(rule(found(old, liveApiKeys)))).toMatchObject({ _tag: "TooManyApiKeys", maximum: 100 })
  })
})
