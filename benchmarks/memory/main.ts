/**
 * Prints the memory of a reference server at rest on its embedded Postgres: at the first start,
 * which creates the database, and at the next one. Exits with 1 when a limit is exceeded. From the
 * root:
 *
 *     npx -y pnpm@10 bench memory
 *
 * Measured is resident memory after a full collection, half a minute after the server listens. For
 * memory under load see the column MB of `npx -y pnpm@10 bench --contestants
 * solar-sites,fastify-drizzle`.
 */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import type { Vitals } from "../soak/Vitals.ts"

const starts = [
  { name: "first start", mostMegabytes: 300 },
  { name: "next start", mostMegabytes: 260 }
]
const restMillis = 30_000
const vitals = fileURLToPath(new URL("../soak/Vitals.ts", import.meta.url))

await using folder = await temporaryFolder()

const atRest = async (name: string): Promise<Vitals> => {
  const file = join(folder.path, name)
  const variables = { DATA_DIR: join(folder.path, "data"), NODE_OPTIONS: `--import=${vitals}`, VITALS_FILE: file }
  const server = await serve(variables)
  await sleep(restMillis)
  await stop(server)
  return JSON.parse((await readFile(file, "utf8")).trimEnd().split("\n").at(-1) ?? "")
}

for (const { mostMegabytes, name } of starts) {
  const { heapMegabytes, memoryMegabytes } = await atRest(name)
  console.log(
    `${name}: ${memoryMegabytes.toFixed(0)} MB resident, of them ${heapMegabytes.toFixed(0)} MB of objects and buffers; at most ${mostMegabytes} MB`
  )
  if (memoryMegabytes > mostMegabytes) process.exitCode = 1
}
