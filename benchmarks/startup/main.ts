/**
 * Prints start times of the built packages: `--help`, a server on an existing embedded database
 * until its first response, and the first harness of a test process. Medians of processes of their
 * own, in turns. From the root, after `npx -y pnpm@10 build`:
 *
 *     npx -y pnpm@10 bench startup
 *
 * `ROUNDS` is the number of each (7). Exits with 1 when a limit is exceeded.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { run, serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"

const { ROUNDS = "7" } = process.env
const harness = fileURLToPath(new URL("./FirstHarness.ts", import.meta.url))

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const help = async () => {
  const started = performance.now()
  const { code } = await run(["--help"])
  if (code !== 0) throw new Error("--help failed")
  return performance.now() - started
}

const server = async (DATA_DIR: string) => {
  const started = performance.now()
  const running = await serve({ DATA_DIR, LOG_LEVEL: "none" })
  const { ok } = await fetch(`${running.address}/health/ready`)
  const milliseconds = performance.now() - started
  await stop(running)
  if (!ok) throw new Error("the server was not ready")
  return milliseconds
}

/** The harness measures itself: a test runner has started its process already. */
const firstHarness = async () => {
  const child = spawn(process.execPath, [harness], { stdio: ["ignore", "pipe", "inherit"] })
  const [said] = await once(child.stdout.setEncoding("utf8"), "data")
  return Number(said)
}

if (!existsSync(fileURLToPath(new URL("../../packages/testing/dist/index.js", import.meta.url)))) {
  console.error("The packages are not built: npx -y pnpm@10 build")
  process.exit(1)
}

await using folder = await temporaryFolder()
const dataDirectory = join(folder.path, "data")
await stop(await serve({ DATA_DIR: dataDirectory, LOG_LEVEL: "none" }))

const contestants = [
  { name: "--help", aim: 500, measure: help },
  {
    name: "server on an existing embedded database, to its first answer",
    aim: 1_500,
    measure: () => server(dataDirectory)
  },
  { name: "first harness in a process, with its imports", aim: 300, measure: firstHarness }
].map((contestant) => ({ ...contestant, times: [] as number[] }))

for (let round = 0; round < Number(ROUNDS); round++) {
  for (const { measure, times } of contestants) times.push(await measure())
}
for (const { aim, name, times } of contestants) {
  const typical = median(times)
  console.log(
    `${name.padEnd(62)}${typical.toFixed(0).padStart(6)} ms, the aim is ${aim} ms${typical > aim ? ": too slow" : ""}`
  )
  if (typical > aim) process.exitCode = 1
}
