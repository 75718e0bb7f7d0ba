import { RateLimiter } from "@solar-sites/core"
import { rateLimiterConformance, runConformance } from "@solar-sites/testing"
import { Layer } from "effect"
import { describe, it } from "vitest"
import { leapingClock } from "./leapingClock.ts"

const layer = Layer.merge(RateLimiter.layerInProcess, leapingClock)
runConformance({ describe, it }, rateLimiterConformance, { name: "in process", layer })
