/**
 * Loaded before an example that calls a service with a key from its environment:
 * a harness answers at `https://solar.example.com` and takes the files.
 */
import { SolarSitesHarness } from "@solar-sites/testing"

const harness = await SolarSitesHarness.make()
const { apiKey } = await harness.createOrganisation("Sunfield Energy")
process.env["SOLAR_API_KEY"] = apiKey

const take = async (request: Request): Promise<Response> => {
  const headers = Object.fromEntries(request.headers)
  const address = { url: request.url, headers, expiresAt: "2026-12-31T00:00:00.000Z" }
  await harness.upload(address, new Uint8Array(await request.arrayBuffer()))
  return new Response()
}

globalThis.fetch = (input, init) => {
  const request = new Request(input, init)
  return new URL(request.url).host === "solar.example.com" ? harness.fetch(request) : take(request)
}
