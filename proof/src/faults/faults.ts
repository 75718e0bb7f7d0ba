/**
 * Faults of every dependency and of the server itself, against a real process.
 */

import { choose, type Proof } from "../check.ts"
import { cases, targets } from "./cases.ts"
import { type Bounds, judge } from "./judge.ts"
import { createWebhooks } from "./outage.ts"
import { startSystem } from "./System.ts"

const longWindowMillis = 3_000
const longRounds = 3
// For machines with four times the load; the long form has the promised ones.
const shortWindowMillis = 800
const shortCases = 4
const shortBounds: Bounds = { recoveryMillis: 40_000, deliveryMillis: 50_000, slackMillis: 20_000 }
const longBounds: Bounds = { recoveryMillis: 2_000, deliveryMillis: 11_000, slackMillis: 1_000 }

export const faults: Proof = {
  name: "faults",
  title: "Faults of each dependency and of the server: no crash, no hang, nothing lost, recovery in time.",
  targets: [...targets],
  run: async ({ log, long, on, runs, seed }) => {
    const matching = cases.filter(
      ({ isLong, target }) => (long || !isLong) && (on === undefined || on.includes(target))
    )
    const rounds = long ? (runs ?? longRounds) : 1
    const chosen = Array.from({ length: rounds }, (_, round) =>
      choose(matching, long ? matching.length : (runs ?? shortCases), seed + round)
    ).flat()
    const bounds = long ? longBounds : shortBounds
    const failures: Array<string> = []
    let slowest = 0
    let notRun = 0
    const system = await startSystem().catch((cause: unknown) => {
      const { REQUIRE_SERVICES: required } = process.env
      if (required === "1") throw cause
      log(String(cause))
      return undefined
    })
    if (system === undefined) return "not run, a service is missing"
    try {
      await createWebhooks(system)
      log("case                           requests  not served  slowest  recovery  delivery  lost")
      for (const one of chosen) {
        const windowMillis = long ? longWindowMillis : shortWindowMillis
        const outcome = await one.run(system, windowMillis)
        if (typeof outcome === "string") {
          log(`${one.name.padEnd(31)}not run: ${outcome}`)
          notRun += 1
          continue
        }
        const { deliveryMillis, lost, observations, recoveryMillis } = outcome
        const refused = observations.filter(({ isGood }) => !isGood).length
        slowest = Math.max(slowest, recoveryMillis)
        const longest = Math.max(...observations.map(({ millis }) => millis))
        const columns = [
          String(observations.length).padStart(8),
          String(refused).padStart(10),
          `${(longest / 1_000).toFixed(2)} s`.padStart(7),
          `${(recoveryMillis / 1_000).toFixed(2)} s`.padStart(8),
          (deliveryMillis === 0 ? "" : `${(deliveryMillis / 1_000).toFixed(2)} s`).padStart(8),
          String(lost.length).padStart(4)
        ]
        log(`${one.name.padEnd(31)}${columns.join("  ")}`)
        const found = judge(outcome, one, bounds)
        for (const violation of found) log(`  ${violation}`)
        failures.push(...found.map((violation) => `${one.name}: ${violation}`))
        if (outcome.crash !== undefined) break
      }
    } finally {
      await system.stop()
    }
    if (failures.length > 0)
      throw new Error(
        `${failures.join("\n")}\n\nReplay: npx -y pnpm@10 proof faults${long ? " --long" : ""} --seed ${seed}`
      )
    return `${chosen.length - notRun} faults, ${notRun} not run, recovery after at most ${(slowest / 1_000).toFixed(1)} s`
  }
}
