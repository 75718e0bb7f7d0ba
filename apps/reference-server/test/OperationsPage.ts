/**
 * Facts of the pages about settings, commands and monitoring, for tests that compare them with the server.
 */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const page = ["settings", "commands", "monitoring"]
  .map((name) => readFileSync(`${root}docs/${name}.md`, "utf8"))
  .join("\n")

const section = (heading: string): string => page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ""

/** The cells of every table in a section, row by row, without their headings and quotes. */
const tablesOf = (text: string): ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> =>
  [...text.matchAll(/^\|.*\n\|[-|]+\n((?:\|.*\n)+)/gm)].map(([, rows = ""]) =>
    rows
      .trim()
      .split("\n")
      .map((row) => row.slice(2, -2).split(" | "))
  )

const quoted = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text)

/** Each variable with its default; `undefined` where it has none. */
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

/** Those of every server, and those that only show once there was something to count. */
export const documentedMetrics = { always: metricsIn(0), later: metricsIn(1) }

/** The example of a line for a request. */
export const exampleLine: { readonly annotations: object } = JSON.parse(
  /^\{"message".*$/m.exec(section("Logs"))?.[0] ?? ""
)

export const documentedLogFields = (tablesOf(section("Logs"))[0] ?? []).map(([name = ""]) => quoted(name)[0] ?? "")

/** The words of each command, and its flags but `--json` and `--help`. */
export const documentedCommands = (tablesOf(section("Commands"))[0] ?? []).flatMap(([cell = ""]) =>
  quoted(cell)
    .filter((text) => !text.startsWith("--"))
    .map((text) => ({ words: text.split(/ (?=--|ID)/)[0]?.split(" ") ?? [], flags: cell.match(/--[a-z-]+/g) ?? [] }))
)

/** The names of metrics as the sources make them. */
export const metricsInSources = (): ReadonlyArray<string> =>
  globSync("{packages,apps}/*/src/**/*.ts", { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}${file}`, "utf8").matchAll(/Metric\.(\w+)\(\s*"([^"]+)"/g)].map(([, type, name = ""]) =>
      type === "counter" ? `${name}_total` : name
    )
  )

/** What a page in the format of Prometheus shows. */
export const readMetrics = (text: string): ReadonlyArray<Described> =>
  [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => {
    const series = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{([^}]*)\\})? `, "gm"))]
    const labels = series.flatMap(([, all = ""]) => [...all.matchAll(/(\w+)="/g)].map(([, label = ""]) => label))
    return { name, type, labels: [...new Set(labels)].filter((label) => label !== "le").toSorted() }
  })
