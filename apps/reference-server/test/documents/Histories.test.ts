import { describe, it } from "@effect/vitest"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Random } from "effect"
import { type ChainPorts, runChainHistory } from "./ChainHistory.ts"

const seeds = Array.from({ length: 3 }, (_, index) => `history ${index}`)

describe("the revisions of a site in memory are whole after every round of concurrent changes", () => {
  it.effect.each(seeds)("%s", (seed) =>
    Effect.gen(function* () {
      const ports = yield* Effect.context<ChainPorts>()
      yield* runChainHistory([ports, ports], 200)
    }).pipe(Random.withSeed(seed), Effect.provide(MemoryAdapters.layer))
  )
})
