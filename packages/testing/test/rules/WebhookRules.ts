/**
 * Commands about webhooks and their secrets.
 */
import {
  maximumWebhooks,
  OrganisationNotFound,
  TooManyWebhooks,
  VersionMismatch,
  WebhookNotFound,
  WebhookSigning,
  webhookRecords
} from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { assert } from "../../src/conformance/Assert.ts"
import type { ConformanceCase } from "../../src/conformance/Conformance.ts"
import { expectPages, refused, succeededOrRefused } from "../../src/conformance/Expectations.ts"
import { changedAgainAt, changedAt, hostileTexts, insertOrganisation } from "../../src/conformance/Setup.ts"
import { inBothZones } from "../../src/conformance/TimeZone.ts"
import { insertWebhook, second, webhookInOwnOrganisation } from "../../src/conformance/WebhookSetup.ts"
import { anOrganisationId, aWebhook } from "../../src/fixtures.ts"
import type { AccessPorts } from "./AccessPorts.ts"
import { currentWebhook, secretsAt, twinWebhooks, webhookEvents } from "./WebhookSetup.ts"

const at = { at: second(0) }

export const webhookCases: ReadonlyArray<ConformanceCase<AccessPorts>> = [
  ...inBothZones({
    name: "returns webhooks as inserted, alone and in pages",
    check: Effect.gen(function* () {
      const { findById, insert, list } = yield* webhookRecords
      const organisationId = yield* insertOrganisation()
      const stored = yield* Effect.forEach(hostileTexts.slice(0, 8), (description, index) =>
        Effect.map(
          insertWebhook(organisationId, {
            description,
            enabled: index % 2 === 0,
            events: ["document.*", "site.deleted"],
            ...(index % 2 === 0 ? {} : { createdAt: changedAt, updatedAt: changedAgainAt })
          }),
          ({ webhook }) => webhook
        )
      )
      assert.equal(stored[0]?.description, hostileTexts[0], "as inserted")
      for (const webhook of stored) {
        assert.deepEqual(yield* currentWebhook({ organisationId, webhook, secret: "" }), webhook)
      }
      yield* expectPages((page) => list(organisationId, page), stored)
      const absent = anOrganisationId()
      const secret = yield* WebhookSigning.generate
      yield* refused(insert(absent, aWebhook(), secret), OrganisationNotFound, "an unknown organisation")
      assert.equal((yield* findById(organisationId, aWebhook().id))._tag, "None")
    })
  }),
  {
    name: "keeps a webhook and its secret when it is inserted again, also at the same time",
    check: Effect.gen(function* () {
      const { insert } = yield* webhookRecords
      const organisationId = yield* insertOrganisation()
      const webhook = aWebhook()
      const insertAgain = Effect.flatMap(WebhookSigning.generate, (secret) => insert(organisationId, webhook, secret))
      const results = yield* Effect.all([insertAgain, insertAgain, insertAgain], { concurrency: "unbounded" })
      const again = yield* insertAgain
      for (const one of results) {
        assert.equal(Redacted.value(one.secret), Redacted.value(again.secret), "the secret of the first insert")
        assert.deepEqual(one.webhook, webhook)
      }
      assert.equal((yield* webhookEvents(organisationId)).length, 1, "one event")
    })
  },
  {
    name: "stores no more webhooks than the maximum, also by concurrent inserts",
    check: Effect.gen(function* () {
      const organisationId = yield* insertOrganisation()
      const insert = Effect.result(insertWebhook(organisationId))
      const results = yield* Effect.all(
        Array.from({ length: maximumWebhooks + 4 }, () => insert),
        { concurrency: "unbounded" }
      )
      const stored = results.filter((result) =>
        succeededOrRefused(result, TooManyWebhooks, "a webhook is one too many")
      )
      assert.equal(stored.length, maximumWebhooks, "as many succeed as there is room for")
      const { delete: remove, list } = yield* webhookRecords
      const { items } = yield* list(organisationId, { after: null, limit: 100 })
      assert.equal(items.length, maximumWebhooks, "stored webhooks")
      if (items[3] !== undefined) yield* remove(organisationId, items[3].id, at)
      yield* insertWebhook(organisationId)
      yield* refused(insertWebhook(organisationId), TooManyWebhooks, "room for one alone")
      yield* insertWebhook(yield* insertOrganisation())
    })
  },
  {
    name: "changes the given members, and nothing when all are equal",
    check: Effect.gen(function* () {
      const { update } = yield* webhookRecords
      const hook = yield* webhookInOwnOrganisation({ description: "Old" })
      const { organisationId, webhook } = hook
      const change = (changes: Parameters<typeof update>[2]) => update(organisationId, webhook.id, changes, at)
      const same = yield* change({ url: webhook.url, events: ["*"], enabled: true })
      assert.deepEqual(same, webhook, "equal values change nothing")
      assert.deepEqual(yield* change({}), webhook, "no member, no change")
      const changed = yield* change({ events: ["site.created"], description: null })
      const expected = { ...webhook, events: ["site.created"], description: null, updatedAt: second(0), version: 2 }
      assert.deepEqual({ ...changed }, expected)
      assert.deepEqual(yield* currentWebhook(hook), changed)
      const unexpected = { at: second(1), expectedVersions: [1] }
      const refusal = yield* refused(
        update(organisationId, webhook.id, { enabled: false }, unexpected),
        VersionMismatch,
        "a stale version"
      )
      assert.equal(refusal.actual, 2)
      yield* refused(update(organisationId, aWebhook().id, {}, unexpected), WebhookNotFound, "an unknown webhook")
      assert.deepEqual(yield* currentWebhook(hook), changed, "refusals change nothing")
    })
  },
  ...inBothZones({
    name: "signs with the previous secret until its end, and keeps the two newest",
    check: Effect.gen(function* () {
      const { rotateSecret } = yield* webhookRecords
      const hook = yield* webhookInOwnOrganisation()
      const { organisationId, webhook } = hook
      const rotate = Effect.fnUntraced(function* (seconds: number) {
        const secret = yield* WebhookSigning.generate
        const rotation = { secret, at: second(seconds), previousUntil: second(seconds + 100) }
        const rotated = yield* rotateSecret(organisationId, webhook.id, rotation)
        assert.equal(Redacted.value(rotated.secret), Redacted.value(secret))
        assert.deepEqual(yield* currentWebhook(hook), rotated.webhook)
        return Redacted.value(secret)
      })
      const one = hook.secret
      const two = yield* rotate(0)
      assert.deepEqual({ ...(yield* currentWebhook(hook)) }, { ...webhook, updatedAt: second(0), version: 2 })
      assert.deepEqual(yield* secretsAt(hook, second(99)), [two, one], "both, the newest first")
      assert.deepEqual(yield* secretsAt(hook, second(100)), [two], "the new one alone")
      const three = yield* rotate(10)
      assert.deepEqual(yield* secretsAt(hook, second(11)), [three, two], "the newest one and the one before")
      const four = yield* rotate(12)
      assert.deepEqual(yield* secretsAt(hook, second(13)), [four, three], "two at most")
      const unknown = { secret: yield* WebhookSigning.generate, at: second(0), previousUntil: second(1) }
      yield* refused(rotateSecret(organisationId, aWebhook().id, unknown), WebhookNotFound, "an unknown webhook")
    })
  }),
  {
    name: "changes an organisation's own webhook where another one has the same id",
    check: Effect.gen(function* () {
      const { delete: remove, list, rotateSecret, update } = yield* webhookRecords
      const [own, other] = yield* twinWebhooks()
      const { id } = own.webhook
      assert.deepEqual(yield* currentWebhook(own), own.webhook)
      assert.deepEqual(yield* currentWebhook(other), other.webhook)
      assert.deepEqual((yield* list(own.organisationId, { after: null, limit: 10 })).items, [own.webhook])
      yield* update(own.organisationId, id, { description: "Changed" }, at)
      const secret = yield* WebhookSigning.generate
      yield* rotateSecret(own.organisationId, id, { secret, at: second(0), previousUntil: second(9) })
      assert.deepEqual(yield* secretsAt(other, second(1)), [other.secret], "the secrets of the other stay")
      yield* remove(own.organisationId, id, at)
      assert.equal(yield* currentWebhook(own), null)
      assert.deepEqual(yield* currentWebhook(other), other.webhook, "the other stays as it was")
      yield* refused(remove(own.organisationId, id, at), WebhookNotFound, "it is gone")
      const stale = { at: second(0), expectedVersions: [1] }
      yield* refused(remove(other.organisationId, id, stale), VersionMismatch, "a stale version")
      assert.deepEqual(yield* currentWebhook(other), other.webhook)
    })
  },
  {
    name: "writes the events of webhooks, without query and secrets",
    check: Effect.gen(function* () {
      const { delete: remove, rotateSecret, update } = yield* webhookRecords
      const hook = yield* webhookInOwnOrganisation({ url: "https://example.com/a?token=t#f" })
      const { organisationId, webhook } = hook
      yield* update(organisationId, webhook.id, { enabled: true }, at)
      yield* update(organisationId, webhook.id, { url: "https://example.com/b?token=u", events: ["site.*"] }, at)
      const secret = yield* WebhookSigning.generate
      yield* rotateSecret(organisationId, webhook.id, { secret, at: second(0), previousUntil: second(9) })
      yield* remove(organisationId, webhook.id, at)
      const events = yield* webhookEvents(organisationId)
      const [a, b] = ["https://example.com/a", "https://example.com/b"]
      assert.deepEqual(
        events.map(({ changes, siteId, subject, type }) => ({ type, siteId, subject, changes })),
        [
          {
            type: "webhook.created",
            siteId: null,
            subject: { type: "webhook", id: webhook.id, name: a },
            changes: {
              url: { from: null, to: a },
              events: { from: null, to: ["*"] },
              enabled: { from: null, to: true }
            }
          },
          {
            type: "webhook.updated",
            siteId: null,
            subject: { type: "webhook", id: webhook.id, name: b },
            changes: { url: { from: a, to: b }, events: { from: ["*"], to: ["site.*"] } }
          },
          {
            type: "webhook.updated",
            siteId: null,
            subject: { type: "webhook", id: webhook.id, name: b },
            changes: {}
          },
          {
            type: "webhook.deleted",
            siteId: null,
            subject: { type: "webhook", id: webhook.id, name: b },
            changes: {
              url: { from: b, to: null },
              events: { from: ["site.*"], to: null },
              enabled: { from: true, to: null }
            }
          }
        ]
      )
    })
  }
]
