import { AccessChanges, RateLimiter, SolarSites } from "@solar-sites/core"
import { Layer } from "effect"
import { describe, expect, it } from "vitest"

describe("SolarSites.make", () => {
  it.each([[undefined], [{}], [Promise.resolve()]])("says what to give instead of %s", (layer) => {
    // What only JavaScript lets through.
    expect(() => SolarSites.make(layer as never)).toThrow(/^layer: give a layer of adapters, such as Layer\.mergeAll\(/)
  })

  it("names all ports that a layer lacks, in types and at run time", async () => {
    // @ts-expect-error "ports that the layer lacks": "ApiKeyStore" | "DocumentMaintenance" | …
    await using solar = SolarSites.make(Layer.merge(RateLimiter.layerInProcess, AccessChanges.layerInProcess))
    const ports = [
      "OrganisationRepository, SiteRepository, PortfolioRepository, DocumentRepository, DocumentMaintenance",
      "DocumentStorage, ApiKeyStore, IdempotencyStore"
    ]
    await expect(solar.organisations.list()).rejects.toThrow(`layer: it lacks ${ports.join(", ")}; merge adapters`)
  })
})
