/**
 * The harness of `@solar-sites/testing`: memory, with a clock that moves.
 */
import type { SolarSites } from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import type { MadeKey, Target } from "./Target.ts"

type Made = Awaited<ReturnType<ReturnType<SolarSites["as"]>["apiKeys"]["create"]>>

const madeKey = ({ apiKey, secret }: Made): MadeKey => {
  const { createdAt, expiresAt, id, prefix } = apiKey
  return { id, secret, prefix, createdAt: String(createdAt), expiresAt: String(expiresAt) }
}

/** What an operator does through the library. */
export const administrationOf = (
  solarSites: SolarSites
): Pick<
  Target,
  "createOrganisation" | "setStatus" | "deleteOrganisation" | "createKey" | "rotateKey" | "deleteKey"
> => {
  const keys = (organisationId: string, userId: string) => solarSites.as({ organisationId, userId }).apiKeys
  return {
    createOrganisation: async (name) => (await solarSites.organisations.create({ name })).id,
    setStatus: async (id, status) => void (await solarSites.organisations.update(id, { status })),
    deleteOrganisation: async (id) => void (await solarSites.organisations.delete(id)),
    createKey: async (organisation, userId, { life, ...request }) =>
      madeKey(await keys(organisation, userId).create({ ...request, expiresIn: `${life / 1_000} seconds` })),
    rotateKey: async (organisation, userId, key, overlap) =>
      madeKey(await keys(organisation, userId).rotate(key, { overlap: `${overlap / 1_000} seconds` })),
    deleteKey: async (organisation, userId, key) => void (await keys(organisation, userId).delete(key))
  }
}

export const memory = async (): Promise<Target> => {
  const harness = await SolarSitesHarness.make()
  let now = Date.parse("2026-06-01T09:00:00.000Z")
  return {
    ...{ servers: 1, revocationMillis: () => 0 },
    ...administrationOf(harness.solarSites),
    fetch: (toRequest) => harness.fetch(toRequest("http://solar.test")),
    put: (url, headers, body) => harness.fetch(url, { method: "PUT", headers: { ...headers }, body }),
    get: (url) => harness.fetch(url),
    now: () => now,
    advance: async (millis) => {
      await harness.advance(millis)
      now += millis
    },
    deliveries: () => harness.webhooks.deliveries,
    restart: async () => {},
    close: harness.dispose
  }
}
