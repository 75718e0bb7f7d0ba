/**
 * Random interleavings of everything that happens to documents and their files.
 */
import * as fc from "fast-check"
import { check, type Proof } from "../check.ts"
import { interleave } from "./Interleaving.ts"
import { sequences } from "./Sequence.ts"
import { targets } from "./Targets.ts"

type TargetName = keyof typeof targets

const short: Partial<Record<TargetName, number>> = { memory: 100, files: 2 }
const long: Record<TargetName, number> = { memory: 100_000, postgres: 1_000, files: 1_000, s3: 100 }

/**
 * Sequences of a seed start at an instant of it, so that a replay has the same times. S3 judges
 * addresses by its own clock.
 */
const startOf = (name: TargetName, seed: number): number =>
  name === "s3" ? Date.now() : 1_600_000_000_000 + seed * 100

const isTarget = (name: string): name is TargetName => name in targets

export const storage: Proof = {
  name: "storage",
  title: "A document and its file agree at every step, in every order of requests.",
  targets: Object.keys(targets),
  run: async (context) => {
    const usual = context.long ? long : short
    const names = context.on?.filter(isTarget) ?? Object.keys(usual).filter(isTarget)
    const figures: Array<string> = []
    for (const name of names) {
      const bench = await targets[name]()
      const startsAt = startOf(name, context.seed)
      const changes = new Map<string, number>()
      let steps = 0
      try {
        const interleaved = fc.asyncProperty(sequences(200), async (sequence) => {
          const done = await interleave(sequence, await bench.next(), startsAt)
          steps += done.steps
          for (const change of done.changes) changes.set(change, (changes.get(change) ?? 0) + 1)
        })
        const command = `storage --on ${name}${context.long ? " --long" : ""}`
        const runs = await check(interleaved, context, command, usual[name] ?? long[name])
        figures.push(`${name}: ${runs} sequences, ${steps} steps`)
        context.log(`${name}: ${[...changes].map(([change, count]) => `${change} ${count}`).join(", ")}`)
      } finally {
        await bench.close()
      }
    }
    return figures.join("; ")
  }
}
