/**
 * Sums up CPU profiles of a run with `--profile` by layer, by module and by function.
 *
 *     npx -y pnpm@10 exec node benchmarks/src/profile.ts [--last SECONDS] FILE…
 *
 * With `--last` only the end counts, without the start of the server.
 */
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import { parseArgs } from "node:util"
import { layersOf } from "./layers.ts"

/** The parts of V8's format that are read here. */
interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: ReadonlyArray<number>
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

const shown = 25
const waiting = new Set(["(idle)", "(program)", "(root)"])

/** The package of a module; for packages of the workspace also the module. */
const moduleOf = (url: string): string => {
  if (url === "") return "(native)"
  if (url.startsWith("node:")) return url
  const installed = url.lastIndexOf("/node_modules/")
  if (installed < 0) return /(?:packages|apps|benchmarks)\/.*$/.exec(url)?.[0] ?? url
  const [scope = "", name = "", ...rest] = url.slice(installed + "/node_modules/".length).split("/")
  if (scope === "effect") return [scope, name, ...rest].join("/")
  return scope.startsWith("@") ? `${scope}/${name}` : scope
}

const sumUp = ({ nodes, samples, timeDeltas }: CpuProfile, lastMicros: number) => {
  const frames = new Map(nodes.map(({ callFrame, id }) => [id, callFrame]))
  const layerOf = layersOf(nodes)
  const [layers, modules, functions] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()]
  const add = (sums: Map<string, number>, key: string, micros: number) =>
    void sums.set(key, (sums.get(key) ?? 0) + micros)
  const end = timeDeltas.reduce((sum, micros) => sum + micros, 0)
  let [now, total] = [0, 0]
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id)
    const micros = timeDeltas[index] ?? 0
    now += micros
    if (now < end - lastMicros || frame === undefined || waiting.has(frame.functionName)) continue
    const from = moduleOf(frame.url)
    total += micros
    add(layers, layerOf.get(id) ?? "", micros)
    add(modules, from === "(native)" ? frame.functionName || from : from, micros)
    add(functions, `${frame.functionName || "(anonymous)"}  ${from}:${frame.lineNumber + 1}`, micros)
  }
  return { total, layers, modules, functions }
}

const print = (title: string, sums: ReadonlyMap<string, number>, total: number): void => {
  console.log(`\n  ${title}`)
  const largest = [...sums].toSorted(([, a], [, b]) => b - a).slice(0, shown)
  for (const [name, micros] of largest) console.log(`  ${((100 * micros) / total).toFixed(1).padStart(5)} %  ${name}`)
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { last: { type: "string" } } })
const lastMicros = values.last === undefined ? Number.POSITIVE_INFINITY : Number(values.last) * 1e6

for (const file of positionals) {
  // V8 documents this shape.
  const { functions, layers, modules, total } = sumUp(
    JSON.parse(await readFile(file, "utf8")) as CpuProfile,
    lastMicros
  )
  console.log(`\n${basename(file)}: ${(total / 1e6).toFixed(1)} s of processor time`)
  print("by layer", layers, total)
  print("by module", modules, total)
  print("by function", functions, total)
}
