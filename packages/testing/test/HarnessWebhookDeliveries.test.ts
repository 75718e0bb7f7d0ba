import { SolarSitesHarness } from "@solar-sites/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let harness: SolarSitesHarness.Harness
let apiKey: string
beforeEach(async () => {
  harness = await SolarSitesHarness.make()
  apiKey = (await harness.createOrganisation("Sunfield Energy")).apiKey
})
afterEach(() => harness.dispose())

const send = async (line: string, body?: unknown) => {
  const [method = "", path = ""] = line.split(" ")
  const headers = { "x-api-key": apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) }
  const content = body === undefined ? null : JSON.stringify(body)
  const response = await harness.fetch(new Request(`http://solar.test${path}`, { method, headers, body: content }))
  return JSON.parse((await response.text()) || "null")
}

const aWebhook = async (...events: ReadonlyArray<string>) => {
  const { id } = await send("POST /api/webhooks", { url: "https://example.com/events", events })
  return `/api/webhooks/${id}`
}

const createPortfolio = async (name: string): Promise<string> => {
  const { data } = await send("POST /api/portfolios", [{ name }])
  const events = await send(`GET /api/events?subjectId=${data[0].id}`)
  return events.data[0].id
}

describe("deliveries of a webhook over HTTP", () => {
  it("are signed with two secrets at most, also after a second rotation", async () => {
    const path = await aWebhook("document.*")
    for (let rotations = 0; rotations < 3; rotations++) {
      await send(`POST ${path}/test`)
      await send(`POST ${path}/rotate-secret`)
    }
    const signatures = harness.webhooks.deliveries.map(({ headers }) => headers["webhook-signature"]?.split(" ").length)
    expect(signatures).toEqual([1, 2, 2])
  })

  it("are listed once per event with the count of their attempts, the newest last", async () => {
    const path = await aWebhook("portfolio.*")
    const list = async () => (await send(`GET ${path}/deliveries`)).data
    harness.webhooks.answer(() => 503)
    const first = await createPortfolio("First")
    await harness.advance("2 seconds")
    expect(await list()).toMatchObject([{ eventId: first, attempt: 1, status: "pending", responseStatus: 503 }])
    await harness.advance("15 seconds")
    expect(await list()).toMatchObject([{ eventId: first, attempt: 2, status: "pending" }])
    harness.webhooks.answer(() => 204)
    const second = await createPortfolio("Second")
    await harness.advance("2 seconds")
    const [failing] = await list()
    expect(await send(`POST ${path}/deliveries/${failing.id}/retry`)).toMatchObject({ status: "pending", attempt: 2 })
    await harness.advance("2 seconds")
    const ended = {
      type: "portfolio.created",
      status: "delivered",
      responseStatus: 204,
      error: null,
      nextAttemptAt: null
    }
    expect(await list()).toMatchObject([
      { ...ended, id: failing.id, eventId: first, attempt: 3 },
      { ...ended, eventId: second, attempt: 1 }
    ])
  })
})
