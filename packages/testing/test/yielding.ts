/**
 * The in-memory adapters where every fiber lets the others go first as often as
 * possible: what is more than one step comes apart here.
 */
import type { Records, SolarSitesServices } from "@solar-sites/core"
import { MemoryAdapters } from "@solar-sites/testing"
import { Layer, Scheduler } from "effect"

// The yield itself takes two operations: with fewer than three no fiber would ever get on.
const operationsBeforeYield = 3

const layer: Layer.Layer<SolarSitesServices.SolarSitesPorts | Records> = Layer.merge(
  MemoryAdapters.layer,
  Layer.succeed(Scheduler.MaxOpsBeforeYield, operationsBeforeYield)
)

export const yieldingAlways = { name: "memory, yielding all the time", layer }
