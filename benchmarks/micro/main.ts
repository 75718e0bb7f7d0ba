/**
 * `npx -y pnpm@10 bench micro`: seconds that the pieces of a request take. A yardstick is measured
 * before and after each piece, so that a busy machine changes both. `--save` stores the ratios;
 * later runs compare with them and exit with 1 when a piece is slower.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Effect, Schema } from "effect"
import { measure } from "mitata"
import { type Piece, pieces } from "./Pieces.ts"

/** Ratio from which on a piece counts as slower than stored. */
const tolerance = 1.25

const usage = `Usage: npx -y pnpm@10 bench micro [--save] [--only TEXT]

  --save       keep the ratios for later runs to be compared with
  --only TEXT  only pieces whose name contains the text
  --help       show this`

const kept = fileURLToPath(new URL("../node_modules/.cache/micro.json", import.meta.url))
const Ratios = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Finite))

const { values } = parseArgs({
  options: { save: { type: "boolean" }, only: { type: "string" }, help: { type: "boolean" } }
})

const before = (): Readonly<Record<string, number>> => {
  try {
    return Schema.decodeUnknownSync(Ratios)(readFileSync(kept, "utf8"))
  } catch {
    return {}
  }
}

// Other work on the machine only adds time, so the faster quarter describes the code.
const nanoseconds = async (run: () => unknown) => (await measure(run, { min_cpu_time: 300e6, inner_gc: false })).p25

const microseconds = (value: number) => `${(value / 1_000).toFixed(value < 100_000 ? 1 : 0)} µs`

const program = Effect.gen(function* () {
  const { all, yardstick } = yield* pieces
  const saved = before()
  const ratioOf = ({ name, run }: Piece) =>
    Effect.promise(async () => {
      const first = await nanoseconds(yardstick)
      const cost = await nanoseconds(run)
      const ratio = cost / ((first + (await nanoseconds(yardstick))) / 2)
      const was = saved[name]
      const change = was === undefined ? "" : `${(ratio / was).toFixed(2)} times what was kept`
      const slower = was !== undefined && ratio > was * tolerance
      console.log(
        `${name.padEnd(40)}${microseconds(cost).padStart(10)}${ratio.toFixed(3).padStart(9)}   ${change}${slower ? ": slower" : ""}`
      )
      return { name, ratio, slower }
    })
  console.log(`${"".padEnd(40)}${"typical".padStart(10)}   of a page of 50 sites as JSON, read and written`)
  const measured = yield* Effect.forEach(
    all.filter(({ name }) => name.includes(values.only ?? "")),
    ratioOf
  )
  if (values.save === true) {
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(
      kept,
      JSON.stringify({ ...saved, ...Object.fromEntries(measured.map(({ name, ratio }) => [name, ratio])) })
    )
    console.log("Kept; later runs are compared with these.")
  } else if (measured.some(({ slower }) => slower)) process.exitCode = 1
})

if (values.help === true) console.log(usage)
else await Effect.runPromise(Effect.scoped(program))
