/**
 * One Solar Sites for the process. Next bundles each route by itself, so it is kept in globalThis.
 */
import { SolarSites } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"

const open = () => {
  const solar = SolarSites.make(MemoryAdapters.layer)
  return { solar, web: toWebHandler(solar, { prefix: "/solar" }) }
}

declare global {
  var solarSites: ReturnType<typeof open> | undefined
}

globalThis.solarSites ??= open()

export const { solar, web } = globalThis.solarSites
