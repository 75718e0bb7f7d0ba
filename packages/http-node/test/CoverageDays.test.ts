import { SolarSitesHarness } from "@solar-sites/testing"
import { afterAll, beforeAll, expect, it } from "vitest"

let harness: SolarSitesHarness.Harness
beforeAll(async () => {
  harness = await SolarSitesHarness.make()
})
afterAll(() => harness.dispose())

interface Answer {
  readonly data?: ReadonlyArray<{ readonly siteName: string }>
  readonly nextCursor?: string | null
}

it("goes on with a list of coverage after midnight", async () => {
  const { apiKey } = await harness.createOrganisation("Sunfield Energy")
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { "x-api-key": apiKey, "content-type": "application/json" }
    const response = await harness.fetch(`http://localhost/api${path}`, { ...init, headers })
    const json = (await response.json()) as Answer
    return { status: response.status, json }
  }
  for (const siteName of ["Long Meadow", "South Field"]) {
    await send("/sites", { method: "POST", body: JSON.stringify({ siteName, capacity: 1, unit: "MW" }) })
  }
  const { json: first } = await send("/coverage?limit=1")
  await harness.advance("25 hours")
  const names = async (query: string) => {
    const { json, status } = await send(`/coverage?${query}cursor=${first.nextCursor}`)
    return [status, json.data?.map(({ siteName }) => siteName)]
  }
  expect(await names("limit=1&")).toEqual([200, ["South Field"]])
  expect(await names("")).toEqual([200, ["South Field"]])
})
