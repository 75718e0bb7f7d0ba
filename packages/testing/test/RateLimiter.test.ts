import { RateLimiter } from "@solar-sites/core"
import { rateLimiterConformance, runConformance } from "@solar-sites/testing"
import { describe, it } from "vitest"

runConformance({ describe, it }, rateLimiterConformance, { name: "in process", layer: RateLimiter.layerInProcess })
