/**
 * Code of an application between its tests and the harness.
 */
import { aSite, SolarSitesHarness } from "@solar-sites/testing"

// No `await using`: the oldest supported Node cannot parse it.
export const overHttp = async (path: string) => {
  const harness = await SolarSitesHarness.make()
  try {
    const { apiKey, caller } = await harness.createOrganisation("Sunfield Energy")
    const { capacity, siteName, unit } = aSite()
    await harness.solarSites.as(caller).sites.create({ siteName, capacity, unit })
    const response = await harness.fetch(new Request(`http://localhost${path}`, { headers: { "x-api-key": apiKey } }))
    return { siteName, text: await response.text() }
  } finally {
    await harness.dispose()
  }
}
