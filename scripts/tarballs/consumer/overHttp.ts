/**
 * What an application has between its tests and the harness.
 */
import { aSite, SolarSitesHarness } from "@solar-sites/testing"

export const overHttp = async (path: string) => {
  await using harness = await SolarSitesHarness.make()
  const { apiKey, caller } = await harness.createOrganisation("Sunfield Energy")
  const { capacity, siteName, unit } = aSite()
  await harness.solarSites.as(caller).sites.create({ siteName, capacity, unit })
  const response = await harness.fetch(new Request(`http://localhost${path}`, { headers: { "x-api-key": apiKey } }))
  return { siteName, text: await response.text() }
}
