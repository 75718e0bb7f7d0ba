import { maximumWebhooks } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { useServer } from "./Serving.ts"
import { caller, unknownId, webBinding } from "./Setup.ts"

const url = "https://example.com/events?token=value"
const valid = { url, events: ["document.*"] }

const { binding, send, setup } = useServer(webBinding)

describe("webhooks over HTTP", () => {
  it("show their secret once, and their delivery afterwards", async () => {
    const created = await send("POST /api/webhooks", { body: { ...valid, description: "Archive" } })
    const { secret, ...webhook } = created.json
    expect([created.status, created.headers.get("location")]).toEqual([201, `/api/webhooks/${webhook.id}`])
    expect(created.headers.get("etag")).toBe('"1"')
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32)
    expect(webhook).toEqual({
      id: expect.any(String),
      ...valid,
      description: "Archive",
      enabled: true,
      createdAt: expect.any(String),
      updatedAt: webhook.createdAt,
      version: 1,
      lastDelivery: null
    })
    const path = `/api/webhooks/${webhook.id}`
    expect((await send(`GET ${path}`)).json).toEqual(webhook)
    const { json: delivery, status } = await send(`POST ${path}/test`)
    expect([status, delivery.status, delivery.type]).toEqual([200, "delivered", "webhook.test"])
    expect((await send(`GET ${path}`)).json).toEqual({ ...webhook, lastDelivery: delivery })
    expect((await send(`GET ${path}/deliveries`)).json).toEqual({ data: [delivery], nextCursor: null })
    const retried = await send(`POST ${path}/deliveries/${delivery.id.toUpperCase()}/retry`)
    expect([retried.status, retried.json.status]).toEqual([200, "pending"])
    const rotated = await send(`POST ${path}/rotate-secret`)
    expect([rotated.status, rotated.json.version]).toEqual([200, 2])
    expect(rotated.json.secret).not.toBe(secret)
    expect((await send(`DELETE ${path}`)).status).toBe(204)
    expect((await send(`GET ${path}`)).json.code).toBe("webhook_not_found")
  })

  it("merge a PUT, take back what was read, and honour If-Match", async () => {
    const { secret: _, ...webhook } = (await send("POST /api/webhooks", { body: valid })).json
    const put = (body: object, headers = {}) => send(`PUT /api/webhooks/${webhook.id}`, { body, headers })
    expect((await put({})).json).toEqual(webhook)
    expect((await put({ ...webhook, secret: "whsec_", organisationId: unknownId })).json).toEqual(webhook)
    const changed = await put({ enabled: false, description: "Later" }, { "if-match": '"1"' })
    expect(changed.json).toMatchObject({ ...valid, enabled: false, description: "Later", version: 2 })
    expect((await put({ enabled: true }, { "if-match": '"1"' })).status).toBe(412)
    expect((await put({ description: null })).json).toMatchObject({ description: null, version: 3 })
  })

  it("answer the same secret to a repeated request", async () => {
    const again = () => send("POST /api/webhooks", { body: valid, headers: { "idempotency-key": "create" } })
    const [first, second] = [await again(), await again()]
    expect(second.text).toBe(first.text)
  })

  it.each<readonly [string, object, string]>([
    ["no URL", { events: ["*"] }, "/url required"],
    ["a text that is no URL", { ...valid, url: "example" }, "/url invalid_url"],
    ["a user", { ...valid, url: "https://ada@example.com" }, "/url invalid_url"],
    ["a password", { ...valid, url: "https://ada:secret@example.com" }, "/url invalid_url"],
    ["a line feed", { ...valid, url: "https://example.com/\n" }, "/url invalid_url"],
    ["a URL that is too long", { ...valid, url: `https://example.com/${"x".repeat(2_048)}` }, "/url too_long"],
    ["no event", { ...valid, events: [] }, "/events too_few"],
    ["too many events", { ...valid, events: Array.from({ length: 51 }, () => "*") }, "/events too_many"],
    ["an unknown type", { ...valid, events: ["*", "site.opened"] }, "/events/1 invalid_value"],
    ["an unknown prefix", { ...valid, events: ["panel.*"] }, "/events/0 invalid_value"],
    ["a long description", { ...valid, description: "x".repeat(501) }, "/description too_long"],
    ["an unknown member", { ...valid, name: "x" }, "/name unknown_member"],
    ["a text as flag", { ...valid, enabled: "yes" }, "/enabled invalid_type"]
  ])("refuse %s with its place", async (_, body, fault) => {
    const { json, status } = await send("POST /api/webhooks", { body })
    expect([status, json.code]).toEqual([400, "validation_failed"])
    const [{ code, pointer }] = json.errors
    expect(`${pointer} ${code}`).toBe(fault)
  })

  it("refuse an address that is not allowed, on creation and on a change", async () => {
    const body = { ...valid, url: "http://example.com" }
    const { id } = (await send("POST /api/webhooks", { body: valid })).json
    for (const line of ["POST /api/webhooks", `PUT /api/webhooks/${id}`]) {
      const { json, status } = await send(line, { body })
      expect([status, json.code]).toEqual([400, "webhook_address_not_allowed"])
      expect(json.errors).toEqual([{ pointer: "/url", code: "address_not_allowed", detail: "must be https" }])
    }
    expect((await send(`GET /api/webhooks/${id}`)).json.url).toBe(url)
  })

  it("answer an id that is none like an unknown one", async () => {
    const { id } = (await send("POST /api/webhooks", { body: valid })).json
    const codeOf = async (line: string) => {
      const { json, status } = await send(line)
      return [status, json.code]
    }
    expect(await codeOf("GET /api/webhooks/none")).toEqual([404, "webhook_not_found"])
    expect(await codeOf(`POST /api/webhooks/${id}/deliveries/none/retry`)).toEqual([404, "delivery_not_found"])
    expect(await codeOf(`POST /api/webhooks/${id}/deliveries/${unknownId}/retry`)).toEqual([404, "delivery_not_found"])
    expect(await codeOf("POST /api/webhooks/none/deliveries/none/retry")).toEqual([404, "webhook_not_found"])
    expect(await codeOf(`POST /api/webhooks/${unknownId}/deliveries/none/retry`)).toEqual([404, "webhook_not_found"])
  })

  it("are twenty at most, also when created at once", async () => {
    const create = caller(binding(), (await setup().join("Full")).key)
    const answers = await Promise.all(
      Array.from({ length: maximumWebhooks + 2 }, () => create("POST /api/webhooks", { body: valid }))
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ json, status }) => [status, json.code])).toEqual([
      [409, "too_many_webhooks"],
      [409, "too_many_webhooks"]
    ])
    const { json } = await create("GET /api/webhooks?limit=19")
    expect(json.data).toHaveLength(19)
    expect((await create(`GET /api/webhooks?cursor=${json.nextCursor}`)).json).toMatchObject({ nextCursor: null })
  })
})
