/**
 * Parses the pages about settings, commands and monitoring, for comparison with the server.
 */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const page = ["settings", "commands", "monitoring"]
  .map((name) => readFileSync(`${root}docs/${name}.md`, "utf8"))
  .join("\n")

const section = (heading: string): string => page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ""

/** Cells of all tables of a section, row by row, without headings and quotes. */
const tablesOf = (text: string): ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> =>
  [...text.matchAll(/^\|.*\n\|[-|]+\n((?:\|.*\n)+)/gm)].map(([, rows = ""]) =>
    rows
      .trim()
      .split("\n")
      .map((row) => row.slice(2, -2).split(" | "))
  )

const quoted = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text)

/** Variables and their defaults. */
export const documentedVariables = new Map(
  tablesOf(section("Settings"))[0]?.map(([name = "", fallback = ""]) => [quoted(name)[0] ?? "", quoted(fallback)[0]])
)

export interface Described {
  readonly name: string
  readonly type: string
  readonly labels: ReadonlyArray<string>
}

const metricsIn = (index: number): ReadonlyArray<Described> =>
  (tablesOf(section("Metrics"))[index] ?? []).map(([name = "", type = "", labels = ""]) => ({
    name: quoted(name)[0] ?? "",
    type,
    labels: quoted(labels).toSorted()
  }))

/** Metrics of every server, and those that appear with their first count. */
export const documentedMetrics = { always: metricsIn(0), later: metricsIn(1) }

/** The example of an access line. */
export const exampleLine: { readonly annotations: object } = JSON.parse(
  /^\{"message".*$/m.exec(section("Logs"))?.[0] ?? ""
)

export const documentedLogFields = (tablesOf(section("Logs"))[0] ?? []).map(([name = ""]) => quoted(name)[0] ?? "")

/** Words and flags of each command, without `--json` and `--help`. */
export const documentedCommands = (tablesOf(section("Commands"))[0] ?? []).flatMap(([cell = ""]) =>
  quoted(cell)
    .filter((text) => !text.startsWith("--"))
    .map((text) => ({
      words: text.split(/ (?=--|ID|FILE)/)[0]?.split(" ") ?? [],
      flags: cell.match(/--[a-z-]+/g) ?? []
    }))
)

/** Names of the metrics in the sources. */
export const metricsInSources = (): ReadonlyArray<string> =>
  globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, "utf8").matchAll(/Metric\.(\w+)\(\s*"([^"]+)"/g)].map(([, type, name = ""]) =>
      type === "counter" ? `${name}_total` : name
    )
  )

/** Names of the metrics of a page in the format of Prometheus. */
export const readMetrics = (text: string): ReadonlyArray<Described> =>
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => {
    const series = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{([^}]*)\\})? `, "gm"))]
    const labels = series.flatMap(([, all = ""]) => [...all.matchAll(/(\w+)="/g)].map(([, label = ""]) => label))
    return { name, type, labels: [...new Set(labels)].filter((label) => label !== "le").toSorted() }
  })
