import { describe, expect, it } from "@effect/vitest"
import {
  foundOf,
  maximumWebhooks,
  Revision,
  signingSecrets,
  WebhookRecord,
  WebhookSigning,
  webhookKind
} from "@solar-sites/core"
import { aWebhook, aWebhookDelivery } from "@solar-sites/testing"
import { DateTime, Duration, Result } from "effect"
import { organisationReference } from "../../src/records/OrganisationReference.ts"
import { webhooks } from "../../src/webhooks/WebhookKind.ts"
import {
  createWebhook,
  deleteWebhook,
  disableFailingWebhooks,
  findsOfCreation,
  findsOfFailing,
  findsOfWebhook,
  rotateSecret,
  updateWebhook
} from "../../src/webhooks/WebhookRules.ts"
import { at, organisationId, origin } from "../records/deciding.ts"

const later = DateTime.addDuration(at, Duration.hours(24))
const [first, second, third] = ["whsec_1", "whsec_2", "whsec_3"].map(WebhookSigning.fromText)
if (first === undefined || second === undefined || third === undefined) throw new Error("there are three secrets")

const record = (overrides: Partial<WebhookRecord> = {}) =>
  new WebhookRecord({
    ...aWebhook(),
    organisationId,
    secrets: [{ secret: first, until: null }],
    dispatchedSequence: 5,
    failingSince: null,
    claimedAt: null,
    ...overrides
  })

/** What a load finds of webhooks. */
const found = (...records: ReadonlyArray<WebhookRecord>) =>
  foundOf(
    ["id", "organisationId"].map((by) => ({
      find: { kind: webhookKind, by, values: [] },
      stored: records.map((one) => ({ record: one, revision: Revision("1") }))
    })),
    { lastSequence: 9 }
  )

const withOrganisation = (there: WebhookRecord | null, ...full: ReadonlyArray<string>) =>
  foundOf(
    [
      {
        find: { kind: organisationReference, by: "id", values: [] },
        stored: [{ record: { id: organisationId }, revision: Revision("1") }]
      },
      ...found(...(there ? [there] : [])).answers
    ],
    { lastSequence: 9, full }
  )

const refusal = (result: Result.Result<unknown, { readonly _tag: string }>) =>
  Result.isFailure(result) ? result.failure : "decided"

const decided = <A>(result: Result.Result<A, unknown>): A => {
  if (Result.isFailure(result)) throw new Error("it was refused")
  return result.success
}

describe("createWebhook", () => {
  const { lastDelivery: _, ...webhook } = aWebhook({ url: "https://example.com/a?token=t", events: ["site.*"] })
  const create = createWebhook({ organisationId, webhook, secret: second }, origin)

  it("stores the webhook after the last event, with an event that hides the query", () => {
    const { answer, change } = decided(create(withOrganisation(null)))
    expect(answer).toEqual({ webhook: aWebhook({ ...webhook }), secret: second })
    expect(change?.writes).toMatchObject([
      {
        id: webhook.id,
        before: null,
        after: {
          ...webhook,
          organisationId,
          secrets: [{ secret: second, until: null }],
          dispatchedSequence: 9,
          failingSince: null,
          claimedAt: null
        }
      }
    ])
    expect(change?.events).toEqual([
      {
        type: "webhook.created",
        subjectId: webhook.id,
        subjectName: "https://example.com/a",
        siteId: null,
        changes: {
          url: { from: null, to: "https://example.com/a" },
          events: { from: null, to: ["site.*"] },
          enabled: { from: null, to: true }
        }
      }
    ])
  })

  it("refuses in the order organisation, maximum, and answers a stored webhook before the last", () => {
    expect(refusal(create(foundOf([], { full: [webhooks] })))).toMatchObject({ _tag: "OrganisationNotFound" })
    const full = { _tag: "TooManyWebhooks", maximum: maximumWebhooks }
    expect(refusal(create(withOrganisation(null, webhooks)))).toMatchObject(full)
    const lastDelivery = aWebhookDelivery()
    const there = record({ id: webhook.id, lastDelivery })
    const { answer, change } = decided(create(withOrganisation(there, webhooks)))
    expect(answer).toMatchObject({ webhook: { id: webhook.id, lastDelivery }, secret: first })
    expect(change).toBeNull()
  })

  it("reads the organisation and the webhook", () => {
    const finds = findsOfCreation({ organisationId, webhook, secret: second })
    expect(finds.map(({ by, kind, values }) => [kind.name, by, values])).toEqual([
      ["organisation", "id", [organisationId]],
      ["webhook", "id", [webhook.id]]
    ])
  })
})

describe("updateWebhook", () => {
  const failing = record({ failingSince: at, description: "Old", lastDelivery: aWebhookDelivery() })
  const update = (changes: Parameters<typeof updateWebhook>[0]["changes"], stored = failing) =>
    updateWebhook({ webhookId: stored.id, changes, at: later }, origin)(found(stored))

  it("sets members and version, keeps the others, and answers without hidden members", () => {
    const { answer, change } = decided(update({ description: null, events: ["site.created"] }))
    const after = { description: null, events: ["site.created"] as const, updatedAt: later, version: 2 }
    expect(answer).toEqual(aWebhook({ ...answer, ...after, id: failing.id, lastDelivery: failing.lastDelivery }))
    expect(answer).not.toHaveProperty("secrets")
    expect(change?.writes).toEqual([
      { kind: webhookKind, id: failing.id, before: { record: failing, revision: "1" }, after: { ...failing, ...after } }
    ])
    expect(change?.events).toMatchObject([
      {
        type: "webhook.updated",
        changes: { events: { from: ["*"], to: ["site.created"] }, description: { from: "Old", to: null } }
      }
    ])
  })

  it("changes nothing when all values are equal", () => {
    for (const changes of [{}, { events: ["*"] as const }, { enabled: true, description: "Old", url: failing.url }]) {
      const { answer, change } = decided(update(changes))
      expect([change, answer.version]).toEqual([null, 1])
    }
  })

  it("begins after the last event, without failures, when the webhook becomes enabled", () => {
    const after = (changes: Parameters<typeof update>[0], stored?: WebhookRecord) =>
      decided(update(changes, stored)).change?.writes[0]?.after
    const disabled = record({ enabled: false, failingSince: at })
    expect(after({ enabled: true }, disabled)).toMatchObject({ dispatchedSequence: 9, failingSince: null })
    const ahead = record({ enabled: false, dispatchedSequence: 11 })
    expect(after({ enabled: true }, ahead)).toMatchObject({ dispatchedSequence: 11 })
    expect(after({ enabled: false })).toMatchObject({ dispatchedSequence: 5, failingSince: at })
    expect(after({ url: "https://example.org/" })).toMatchObject({ dispatchedSequence: 5, failingSince: null })
  })

  it("refuses in the order webhook, version", () => {
    const rule = updateWebhook({ webhookId: failing.id, changes: {}, at, expectedVersions: [9] }, origin)
    expect(refusal(rule(found()))).toMatchObject({ _tag: "WebhookNotFound", webhookId: failing.id })
    expect(refusal(rule(found(failing)))).toMatchObject({ _tag: "VersionMismatch", actual: 1 })
    expect(findsOfWebhook(failing.id)).toEqual([{ kind: webhookKind, by: "id", values: [failing.id] }])
  })
})

describe("deleteWebhook", () => {
  it("removes the webhook with its event, and refuses in the order webhook, version", () => {
    const webhook = record({ url: "https://example.com/a?token=t" })
    const rule = deleteWebhook({ webhookId: webhook.id, at, expectedVersions: [1] }, origin)
    const { change } = decided(rule(found(webhook)))
    expect(change?.writes).toMatchObject([{ id: webhook.id, before: { record: webhook }, after: null }])
    const url = "https://example.com/a"
    expect(change?.events).toMatchObject([
      { type: "webhook.deleted", subjectName: url, changes: { url: { from: url, to: null } } }
    ])
    expect(refusal(rule(found()))).toMatchObject({ _tag: "WebhookNotFound" })
    expect(refusal(rule(found(record({ id: webhook.id, version: 2 }))))).toMatchObject({ actual: 2 })
  })
})

describe("rotateSecret", () => {
  it("adds a secret, ends the one before, and keeps two", () => {
    const webhook = record({
      secrets: [
        { secret: second, until: null },
        { secret: first, until: at }
      ]
    })
    const rule = rotateSecret({ webhookId: webhook.id, secret: third, at, previousUntil: later }, origin)
    const { answer, change } = decided(rule(found(webhook)))
    expect(answer).toMatchObject({ webhook: { version: 2, updatedAt: at }, secret: third })
    const secrets = [
      { secret: third, until: null },
      { secret: second, until: later }
    ]
    expect(change?.writes[0]?.after).toEqual({ ...webhook, secrets, version: 2, updatedAt: at })
    expect(change?.events).toMatchObject([{ type: "webhook.updated", changes: {} }])
    expect(signingSecrets(secrets, at)).toEqual([third, second])
    expect(signingSecrets(secrets, later)).toEqual([third])
    expect(refusal(rule(found()))).toMatchObject({ _tag: "WebhookNotFound" })
  })
})

describe("disableFailingWebhooks", () => {
  const rule = disableFailingWebhooks({ organisationId, at: later, failingSince: at }, origin)

  it("disables those that have failed for long enough, in the order of ids", () => {
    const failing = [record({ failingSince: at }), record({ failingSince: DateTime.subtract(at, { hours: 1 }) })]
    const others = [
      record(),
      record({ failingSince: DateTime.add(at, { milliseconds: 1 }) }),
      record({ failingSince: at, enabled: false })
    ]
    const { answer, change } = decided(rule(found(...others, ...failing.toReversed())))
    expect(answer).toEqual(failing.map(({ id }) => id).toSorted())
    const after = { enabled: false, updatedAt: later, version: 2 }
    expect(change?.writes.map(({ after }) => after)).toEqual(
      answer.map((id) => ({ ...failing.find((one) => one.id === id), ...after }))
    )
    const changes = { enabled: { from: true, to: false } }
    expect(change?.events).toMatchObject(answer.map((subjectId) => ({ type: "webhook.disabled", subjectId, changes })))
    expect(change?.mayChange).toHaveLength(5)
  })

  it("changes nothing where none fails, and reads all webhooks of the organisation", () => {
    expect(decided(rule(found(record())))).toEqual({ answer: [], change: null })
    expect(findsOfFailing({ organisationId, at, failingSince: at })).toEqual([
      { kind: webhookKind, by: "organisationId", values: [organisationId] }
    ])
  })
})
