/**
 * Random steps of three organisations, compared with a model of the rules.
 */
import * as fc from "fast-check"
import { check } from "../check.ts"
import type { Proof, ProofContext } from "../Proof.ts"
import { play, type Step } from "./Player.ts"
import { administration, put } from "./steps/Administration.ts"
import { companySteps } from "./steps/Company.ts"
import { resourceSteps } from "./steps/Resources.ts"
import { memory } from "./targets/Memory.ts"
import type { Target } from "./targets/Target.ts"

const call = fc.oneof(...resourceSteps, ...companySteps)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: call },
  { weight: 3, arbitrary: put },
  { weight: 2, arbitrary: administration },
  { weight: 1, arbitrary: fc.record({ repeat: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ together: fc.array(call, { minLength: 2, maxLength: 4 }) }) }
)

/** Sequences of so many steps on average, which shrink to few. */
export const sequences = (average: number): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc.array(step, { minLength: 1, maxLength: 2 * average, size: "max" })

const targets: Readonly<Record<string, () => Promise<Target>>> = { memory }

const run = async (context: ProofContext): Promise<string> => {
  let requests = 0
  const property = fc.asyncProperty(sequences(50), async (steps) => {
    const target = await memory()
    try {
      requests += await play(target, steps)
    } finally {
      await target.close()
    }
  })
  const runs = await check(property, context, "model", context.long ? 10_000 : 60)
  return `${runs} sequences, ${requests} requests`
}

export const model: Proof = {
  name: "model",
  title: "A model of the rules answers as the service does, and no organisation sees another.",
  targets: Object.keys(targets),
  run
}
