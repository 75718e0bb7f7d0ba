/**
 * Prints the files of adapter-postgres whose functions run between a call of
 * `SiteRepository.list` and the first message to the driver, as JSON. The argument is the
 * folder of a workspace. V8 counts the calls; the embedded Postgres stands for the server.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { Session } from "node:inspector"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"

const [workspace = "."] = process.argv.slice(2)
const load = (path: string) => import(realpathSync(join(workspace, "packages", path)))
const { layerPorts, migrate } = await load("adapter-postgres/src/index.ts")
const { layer } = await load("adapter-postgres/src/pglite/index.ts")
const { OrganisationRepository, SiteRepository } = await load("core/src/index.ts")
const { anOrganisation } = await load("testing/src/index.ts")
const { PGlite } = await load("adapter-postgres/node_modules/@electric-sql/pglite/dist/index.js")

const session = new Session()
session.connect()
session.post("Profiler.enable")
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })

/** Files with a call since the last count, such as `client/PgBatch.ts`. */
const calledFiles = (): ReadonlyArray<string> => {
  const files: Array<string> = []
  session.post("Profiler.takePreciseCoverage", (_, { result }) => {
    for (const { functions, url } of result) {
      const [, file] = url.split("/adapter-postgres/src/")
      const called = functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0)
      if (file !== undefined && !file.startsWith("pglite/") && called) files.push(file)
    }
  })
  return files.toSorted()
}

let untilDriver: ReadonlyArray<string> | undefined
for (const method of ["execProtocolRaw", "execProtocolRawStream"]) {
  const original = PGlite.prototype[method]
  PGlite.prototype[method] = function (...parameters: ReadonlyArray<unknown>) {
    untilDriver ??= calledFiles()
    return Reflect.apply(original, this, parameters)
  }
}

const folder = mkdtempSync(join(tmpdir(), "solar-sites-path-"))
const database = layer({ dataDir: join(folder, "database") })
const ports = layerPorts.pipe(Layer.provideMerge(Layer.effectDiscard(migrate)), Layer.provideMerge(database))

const measured = Effect.gen(function* () {
  const organisation = anOrganisation()
  yield* (yield* OrganisationRepository).insert(organisation)
  const { list } = yield* SiteRepository
  const listed = Effect.suspend(() => list(organisation.id, {}, { after: null, limit: 10 }))
  yield* listed
  // Work of the first call, such as timers, has ended.
  yield* Effect.sleep(500)
  calledFiles()
  untilDriver = undefined
  yield* listed
})

// The modules are loaded without their types.
await Effect.runPromise(Effect.provide(measured, ports) as Effect.Effect<void>)
console.log(JSON.stringify(untilDriver))
rmSync(folder, { recursive: true })
process.exit()
