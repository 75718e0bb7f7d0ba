import { ApiKeyId, ApiKeys, CurrentCaller } from "@solar-sites/core"
import { Duration, Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aNewSite, type Binding, bindings, caller, type Member, makeSetup, type Send, type Setup } from "./Setup.ts"

const webhook = { url: "https://example.com/hook", events: ["*"] }

describe.each(Object.entries(bindings))("an Idempotency-Key of one caller, through %s", (_, bind) => {
  let setup: Setup
  let member: Member
  let byKey: Binding
  let byHost: Binding
  beforeAll(async () => {
    setup = await makeSetup()
    member = await setup.join("Sunfield")
    byKey = await bind(setup.ports)
    byHost = await bind(setup.ports, {
      authenticate: ({ headers }) => {
        const organisationId = member.organisation.id
        const { "x-key": apiKeyId = null, "x-user": userId = null } = headers
        return "x-api-key" in headers ? null : { organisationId, userId, apiKeyId }
      }
    })
  })
  afterAll(async () => {
    await byKey.close()
    await byHost.close()
    await setup.close()
  })

  const post = (send: Send, path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
    send(`POST ${path}`, { headers: { ...headers, "idempotency-key": key }, body })
  const isReplayed = ({ headers }: Awaited<ReturnType<Send>>) => headers.has("idempotency-replayed")

  it("gives another API key of the organisation no answer: it creates a webhook with a secret of its own", async () => {
    const [own, other] = [caller(byKey, member.key), caller(byKey, await setup.keyWith(member, "webhooks:write"))]
    const key = crypto.randomUUID()
    const first = await post(own, "/api/webhooks", key, webhook)
    const second = await post(other, "/api/webhooks", key, webhook)
    expect([first.status, second.status, isReplayed(second)]).toEqual([201, 201, false])
    expect(second.json.id).not.toBe(first.json.id)
    expect(second.json.secret).not.toBe(first.json.secret)
    for (const [send, answer] of [
      [own, first],
      [other, second]
    ] as const) {
      const again = await post(send, "/api/webhooks", key, webhook)
      expect([isReplayed(again), again.text]).toEqual([true, answer.text])
    }
  })

  it("is neither used nor in use for another request of another API key", async () => {
    const [own, other] = [caller(byKey, member.key), caller(byKey, await setup.keyWith(member, "sites:write"))]
    const key = crypto.randomUUID()
    const answers = await Promise.all([
      post(own, "/api/sites", key, aNewSite),
      post(other, "/api/sites", key, { ...aNewSite, siteName: "High Meadow" })
    ])
    expect(answers.map(({ json, status }) => [status, json.siteName])).toEqual([
      [201, aNewSite.siteName],
      [201, "High Meadow"]
    ])
    expect((await post(own, "/api/sites", key, { ...aNewSite, unit: "kW" })).json.code).toBe("idempotency_key_reused")
  })

  it("stays with an API key that is rotated, and is free for the one that replaces it", async () => {
    const rotated = await setup.run(
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const { apiKey, secret } = yield* apiKeys.create({ name: "old" })
        const next = yield* apiKeys.rotate(apiKey.id, { overlap: Duration.hours(1) })
        return [secret, next.secret].map((it) => caller(byKey, Redacted.value(it)))
      }).pipe(Effect.provideService(CurrentCaller, member.caller))
    )
    const key = crypto.randomUUID()
    const ids: Array<string> = []
    for (const send of rotated) {
      const first = await post(send, "/api/sites", key, aNewSite)
      expect([first.status, isReplayed(first)]).toEqual([201, false])
      expect((await post(send, "/api/sites", key, aNewSite)).text).toBe(first.text)
      ids.push(first.json.id)
    }
    expect(new Set(ids).size).toBe(2)
  })

  it("of a host belongs to its user, its API key, or the organisation without either", async () => {
    const send = caller(byHost, null)
    const key = crypto.randomUUID()
    const apiKeyId = ApiKeyId.make(crypto.randomUUID())
    const callers: ReadonlyArray<Record<string, string>> = [
      {},
      { "x-user": "ada" },
      { "x-user": "Ada" },
      { "x-user": "grace" },
      { "x-user": "ada", "x-key": apiKeyId },
      { "x-user": apiKeyId },
      { "x-user": "host" }
    ]
    const ids: Array<string> = []
    for (const headers of callers) {
      const first = await post(send, "/api/sites", key, aNewSite, headers)
      expect([headers, first.status, isReplayed(first)]).toEqual([headers, 201, false])
      const again = await post(send, "/api/sites", key, aNewSite, headers)
      expect([isReplayed(again), again.text]).toEqual([true, first.text])
      ids.push(first.json.id)
    }
    expect(new Set(ids).size).toBe(callers.length)
    // The user of a key does not matter, only the key.
    const byOther = await post(send, "/api/sites", key, aNewSite, { "x-user": "grace", "x-key": apiKeyId })
    expect(byOther.json.id).toBe(ids[4])
  })
})
