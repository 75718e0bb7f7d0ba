/**
 * Tests the suites about documents against adapters that are broken on purpose.
 * The cases in `noticedBy` run and must fail.
 */
import type { ConformanceSuite } from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { failedCases, unnoticed } from "./failedCases.ts"
import { leapingClock } from "./leapingClock.ts"

export interface DocumentBreakage<Ports> {
  readonly breakage: string
  readonly breaks: (intact: Context.Context<Ports>) => Context.Context<Ports>
  readonly noticedBy: readonly [string, ...Array<string>]
}

/** Puts other methods in the place of some of a port's. */
export const replacing =
  <Ports>() =>
  <Id extends Ports, Service extends object>(
    port: Context.Key<Id, Service>,
    replace: (intact: Service, context: Context.Context<Ports>) => Partial<Service>
  ) =>
  (context: Context.Context<Ports>): Context.Context<Ports> => {
    const intact = Context.get(context, port)
    return Context.add(context, port, { ...intact, ...replace(intact, context) })
  }

export const notices = <Ports>(
  suite: ConformanceSuite<Ports>,
  memory: Layer.Layer<Ports>,
  breakages: ReadonlyArray<DocumentBreakage<Ports>>
): void => {
  describe(`the ${suite.port} suite notices an adapter that`, () => {
    for (const { breakage, breaks, noticedBy } of breakages) {
      it(breakage, async () => {
        const broken = Layer.effectContext(Effect.map(Layer.build(memory), breaks))
        const failed = await failedCases(suite, Layer.merge(broken, leapingClock), noticedBy)
        expect(unnoticed(noticedBy, failed), `failed: ${failed}`).toEqual([])
      })
    }
  })
}
