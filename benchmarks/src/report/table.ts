/**
 * Results as a text table.
 */
import type { Run, WorkloadResults } from "./results.ts"

const number = (value: number | null, digits: number): string =>
  value === null || !Number.isFinite(value) ? "–" : value.toFixed(digits)

const columns = ["req/s", "of limit", "p50 ms", "p99 ms", "cpu µs", "MB"]
const width = 10

const row = (title: string, cells: ReadonlyArray<string>, longest: number): string =>
  `  ${title.padEnd(longest)}${cells.map((cell) => cell.padStart(width)).join("")}`

export const workloadTable = ({ results, title }: WorkloadResults, contestants: Run["contestants"]): string => {
  const titleOf = new Map(contestants.map((contestant) => [contestant.name, contestant.title]))
  const longest = Math.max(...contestants.map((contestant) => contestant.title.length))
  const rows = results.map(({ contestant, p50Ms, p99Ms, perSecond, processorMicros, ratio, residentMegabytes }) => {
    const cells = [
      number(perSecond, 0),
      number(ratio, 2),
      number(p50Ms, 2),
      number(p99Ms, 2),
      number(processorMicros, 0),
      number(residentMegabytes, 0)
    ]
    return row(titleOf.get(contestant) ?? contestant, cells, longest)
  })
  return [title, row("", columns, longest), ...rows].join("\n")
}

export const headline = ({ machine, options }: Run): string =>
  `${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s, ` +
  `${options.large ? "a million sites" : "2,000 sites"}; ${machine.processors} × ${machine.model}, ` +
  `Node ${machine.node}, Postgres ${machine.postgres}`
