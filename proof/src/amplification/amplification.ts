/**
 * What an operation makes of its largest legal input: bytes of the answer, stored bytes and memory.
 * A bound that is exceeded is a failure.
 */

import type { Proof } from "../check.ts"
import { asking, memoryTarget, serverTarget, type Target } from "../fuzz/Target.ts"
import type { Case, Size } from "./Case.ts"
import { cases } from "./Inputs.ts"
import { type Gauge, heapGauge, type Measured, measure, serverGauge } from "./Measured.ts"

/** More than any request needs, also while the collector has not run. */
const maximumMemory = 600 * 1_048_576

/** Figures above their bounds, figures that are no number, and refusals, which measure nothing. */
const excessOf = (
  bound: Case,
  { answerBytes, memoryBytes, status, storedBytes = 0 }: Measured
): ReadonlyArray<string> => [
  ...(status >= 400 ? [`status ${status}`] : []),
  ...(answerBytes > bound.answerBytes ? [`an answer of ${answerBytes} bytes, above ${bound.answerBytes}`] : []),
  ...(!(storedBytes <= bound.storedBytes) ? [`${storedBytes} bytes stored, above ${bound.storedBytes}`] : []),
  ...(memoryBytes > maximumMemory ? [`${memoryBytes} bytes of memory, above ${maximumMemory}`] : [])
]

export const measureAll = async (
  target: Target,
  gauge: Gauge,
  size: Size,
  chosen: ReadonlyArray<Case> = cases
): Promise<{ readonly measured: ReadonlyArray<Measured>; readonly excesses: ReadonlyArray<string> }> => {
  const measured: Array<Measured> = []
  const excesses: Array<string> = []
  for (const one of chosen) {
    const key = await target.join()
    const request = await one.prepare(asking(target, key), size, target.upload)
    const result = await measure(target, gauge, key, one, request)
    measured.push(result)
    excesses.push(...excessOf(one, result).map((excess) => `${one.operation}, ${one.input}: ${excess}`))
  }
  return { measured, excesses }
}

const amount = (bytes: number | undefined): string => {
  if (bytes === undefined) return "–"
  if (bytes < 10_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

const table = (rows: ReadonlyArray<Measured>): ReadonlyArray<string> => [
  "| Operation | input | status | request | answer | stored | memory | time |",
  "|---|---|---|---|---|---|---|---|",
  ...rows.map(
    ({ answerBytes, input, memoryBytes, milliseconds, operation, requestBytes, status, storedBytes }) =>
      `| \`${operation}\` | ${input} | ${status} | ${amount(requestBytes)} | ${amount(answerBytes)} | ${amount(storedBytes)} | ${amount(memoryBytes)} | ${Math.round(milliseconds)} ms |`
  )
]

export const amplification: Proof = {
  name: "amplification",
  title: "bounds of answers, stored bytes and memory for the largest legal inputs",
  run: async ({ log, long }) => {
    const server = long ? await serverTarget() : undefined
    const target = server ?? (await memoryTarget())
    try {
      const size = long ? { sites: 1_000, largeSites: 100 } : { sites: 200, largeSites: 45 }
      const chosen = cases.filter(({ needsServer }) => server !== undefined || needsServer !== true)
      const gauge = server === undefined ? heapGauge : serverGauge(server)
      const { excesses, measured } = await measureAll(target, gauge, size, chosen)
      for (const line of table(measured)) log(line)
      if (excesses.length > 0) throw new Error(excesses.join("\n"))
      return `${measured.length} inputs within their bounds`
    } finally {
      await target.close()
    }
  }
}
