import { SolarSitesHarness } from "@solar-sites/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

const aNewSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const
const url = "https://example.com/events"

let harness: SolarSitesHarness.Harness
let solar: ReturnType<SolarSitesHarness.Harness["solarSites"]["as"]>
beforeEach(async () => {
  harness = await SolarSitesHarness.make()
  solar = harness.solarSites.as((await harness.createOrganisation("Sunfield Energy")).caller)
})
afterEach(() => harness.dispose())

/** What was due during a jump of the clock begins at its end, and then has a second. */
const advance = async (duration: Parameters<SolarSitesHarness.Harness["advance"]>[0]) => {
  await harness.advance(duration)
  await harness.advance("1 second")
}

const statuses = async (id: string) => {
  const { data } = await solar.webhooks.listDeliveries(id)
  return data.map(({ status }) => status)
}

describe("the webhooks of a harness", () => {
  it("receive events in memory, once the clock has advanced", async () => {
    const { id } = await solar.webhooks.create({ url, events: ["site.created"] })
    const site = await solar.sites.create(aNewSite)
    expect(harness.webhooks.deliveries).toEqual([])
    await harness.advance("2 seconds")
    const [delivery] = harness.webhooks.deliveries
    expect(harness.webhooks.deliveries).toHaveLength(1)
    expect(delivery).toMatchObject({ url, headers: { "webhook-id": expect.any(String) }, at: expect.any(Date) })
    expect(JSON.parse(delivery?.body ?? "")).toMatchObject({ type: "site.created", data: { subject: { id: site.id } } })
    expect(await statuses(id)).toEqual(["delivered"])
  })

  it("answer as the test decides", async () => {
    harness.webhooks.answer(() => "timeout")
    const { id } = await solar.webhooks.create({ url, events: ["*"] })
    const failed = { status: "failed", responseStatus: null, error: "The receiver did not answer in time." }
    expect(await solar.webhooks.test(id)).toMatchObject({ type: "webhook.test", attempt: 1, ...failed })
    harness.webhooks.answer(({ body }) => (body.includes("webhook.test") ? 410 : 204))
    expect(await solar.webhooks.test(id)).toMatchObject({ responseStatus: 410, error: "The receiver answered 410." })
  })

  it("take https addresses alone", async () => {
    const insecure = { url: "http://example.com", events: ["*" as const] }
    await expect(solar.webhooks.create(insecure)).rejects.toMatchObject({ code: "webhook_address_not_allowed" })
  })

  it("have two signatures for a day after a rotation", async () => {
    const { id, secret } = await solar.webhooks.create({ url, events: ["*"] })
    expect((await solar.webhooks.rotateSecret(id)).secret).not.toBe(secret)
    await solar.webhooks.test(id)
    await harness.advance("24 hours")
    await solar.webhooks.test(id)
    const tests = harness.webhooks.deliveries.filter(({ body }) => body.includes("webhook.test"))
    expect(tests.map(({ headers }) => headers["webhook-signature"]?.split(" ").length)).toEqual([2, 1])
  })

  it("fail a delivery after three days, and are disabled after five days without a success", async () => {
    harness.webhooks.answer(() => 500)
    const { id } = await solar.webhooks.create({ url, events: ["site.*"] })
    const isEnabled = async () => (await solar.webhooks.get(id)).enabled
    await solar.sites.create(aNewSite)
    for (let times = 0; times < 11; times++) await advance("6 hours")
    expect(await statuses(id)).toEqual(["pending"])
    await advance("7 hours")
    expect(await statuses(id)).toEqual(["failed"])
    await advance("46 hours")
    expect(await isEnabled()).toBe(true)
    await advance("2 hours")
    expect(await isEnabled()).toBe(false)
    const sent = harness.webhooks.deliveries.length
    await solar.sites.create(aNewSite)
    await advance("1 day")
    expect(harness.webhooks.deliveries).toHaveLength(sent)
    expect(await statuses(id)).toEqual(["failed"])
    const { data } = await solar.events.list({ type: ["webhook.disabled"] })
    expect(data).toMatchObject([{ subject: { id }, actor: { userId: null }, changes: { enabled: { to: false } } }])
    await solar.webhooks.update(id, { enabled: true })
    harness.webhooks.answer(() => 204)
    await solar.sites.create(aNewSite)
    await advance("2 seconds")
    expect(await statuses(id)).toEqual(["failed", "delivered"])
  })
})
