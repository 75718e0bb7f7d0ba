/**
 * Loaded before an example that calls a service with a key from its environment:
 * a harness answers every request and takes the files.
 */
import { SolarSitesHarness } from "@solar-sites/testing"

const harness = await SolarSitesHarness.make()
const { apiKey } = await harness.createOrganisation("Sunfield Energy")
process.env["SOLAR_API_KEY"] = apiKey

globalThis.fetch = harness.fetch
