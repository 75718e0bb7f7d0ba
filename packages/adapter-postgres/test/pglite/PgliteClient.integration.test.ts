import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { migrate, PgClient } from "@solar-sites/adapter-postgres"
import { FolderLocked, type PgliteOptions, layer as pglite } from "@solar-sites/adapter-postgres/pglite"
import { EventRepository, OrganisationId, OrganisationRepository } from "@solar-sites/core"
import { portfolioMethods } from "@solar-sites/testing"
import { Effect } from "effect"
import { migrations } from "../../src/migrations/migrations.ts"
import { migrated, temporaryFolder } from "../Databases.ts"
import { copyEmptyDatabase } from "../EmptyDatabase.ts"

/** How often a process is killed while it writes; `PGLITE_KILLS=50` for a longer look. */
const { PGLITE_KILLS: given = "2" } = process.env
const kills = Number(given)

const child = fileURLToPath(new URL("./PgliteChild.ts", import.meta.url))
// Processes this short never regain the time in which V8 optimises the WebAssembly of the database.
const flags = ["--conditions=@solar-sites/source", "--liftoff-only"]

interface Child {
  readonly pid: number
  /** Waits for as many lines, and answers all that were said so far. */
  readonly lines: (count: number) => Effect.Effect<ReadonlyArray<string>>
  /** Kills it, and answers all that it has said. */
  readonly kill: Effect.Effect<ReadonlyArray<string>>
  readonly errors: () => string
}

const spawned = (mode: "hold" | "write", folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [...flags, child, mode, folder])),
    (running) => Effect.sync(() => void running.kill("SIGKILL"))
  ).pipe(
    Effect.map((running): Child => {
      const said: Array<string> = []
      let errors = ""
      const reader = createInterface({ input: running.stdout })
      reader.on("line", (line) => void said.push(line))
      running.stderr.on("data", (chunk) => {
        errors += String(chunk)
      })
      const exited = once(running, "close")
      const lines = async (count: number) => {
        while (said.length < count) {
          const more = once(reader, "line")
          await Promise.race([more, exited.then(() => Promise.reject(new Error(`the child ended: ${errors}`)))])
        }
        return [...said]
      }
      return {
        pid: running.pid ?? 0,
        lines: (count) => Effect.promise(() => lines(count)),
        kill: Effect.promise(async () => {
          running.kill("SIGKILL")
          await exited
          return [...said]
        }),
        errors: () => errors
      }
    })
  )

/** With time for a machine that is busy elsewhere. */
const layer = (options: PgliteOptions) => pglite({ queryTimeout: "30 seconds", ...options })

const opened = (dataDir: string) => Effect.provide(PgClient, layer({ dataDir }))

/** A database of one's own. */
const ownFolder = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder, "database")
  yield* Effect.promise(() => copyEmptyDatabase(folder))
  return folder
})

/** Bytes in use after a full collection. */
const collectedHeapBytes = (): number => {
  setFlagsFromString("--expose-gc")
  // A collection that is in progress keeps what was allocated since it began. The second one does not.
  const collect = runInNewContext("gc")
  collect()
  collect()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const refusalOf = (dataDir: string) =>
  Effect.map(Effect.flip(opened(dataDir)), (error) => {
    assert.instanceOf(error, FolderLocked)
    return error
  })

describe("an embedded database", () => {
  it.live("refuses a second process, and names the first, until that one is killed", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      const holder = yield* spawned("hold", folder)
      yield* holder.lines(1)
      const refusal = yield* refusalOf(folder)
      assert.strictEqual(refusal.pid, holder.pid)
      assert.include(refusal.message, `in use by the process with id ${holder.pid}, running on it since 20`)
      assert.strictEqual(holder.errors(), "", "nothing is printed")

      yield* holder.kill
      assert.isTrue(existsSync(`${folder}.holder.json`), "the killed process has left its name")
      yield* opened(folder)
    })
  )

  it.live("refuses a second opening in the same process until the first is closed", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      yield* refusalOf(folder).pipe(
        Effect.tap((refusal) => Effect.sync(() => assert.strictEqual(refusal.pid, process.pid))),
        Effect.provide(layer({ dataDir: folder }))
      )
      yield* opened(folder)
    })
  )

  it.live(
    `has every acknowledged write and its event after ${kills} processes were killed`,
    () =>
      Effect.gen(function* () {
        const folder = yield* ownFolder
        const acknowledged: Array<string> = []
        for (let count = 0; count < kills; count++) {
          const writer = yield* spawned("write", folder)
          yield* writer.lines(10 + ((count * 37) % 30))
          acknowledged.push(...(yield* writer.kill))
        }
        yield* Effect.gen(function* () {
          const organisations = yield* OrganisationRepository
          const [portfolios, events] = [yield* portfolioMethods, yield* EventRepository]
          const page = { after: null, limit: 10_000 }
          const stored = (yield* organisations.list(page)).items.map(({ id }) => id)
          for (const id of acknowledged) assert.include(stored, OrganisationId.make(id))
          for (const id of stored) {
            const written = (yield* events.list(id, {}, { ...page, order: "asc" })).items
            const changed = (yield* portfolios.list(id, {}, page)).items
            assert.deepStrictEqual(
              written.map(({ subject, type }) => `${type} ${subject.id}`),
              changed.map(({ id }) => `portfolio.created ${id}`)
            )
            if (acknowledged.includes(id)) assert.lengthOf(written, 1)
          }
        }).pipe(Effect.provide(migrated(layer({ dataDir: folder }))))
      }),
    120_000 + kills * 20_000
  )

  it.live("goes on after a failed statement, and after a failed message of several", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      yield* Effect.gen(function* () {
        const { run } = yield* PgClient
        for (const text of ["select nonsense", "select 1; select 1 / 0; select 2"]) {
          const error = yield* Effect.flip(run({ operation: "test", text }))
          assert.isFalse(error.retryable)
        }
        const parameter = yield* Effect.flip(run({ operation: "test", text: "select 1 / $1::int", parameters: [0] }))
        assert.isFalse(parameter.retryable)
        assert.deepStrictEqual(yield* run({ operation: "test", text: "select $1::int", parameters: [7] }), [[7]])
      }).pipe(Effect.provide(layer({ dataDir: folder })))
    })
  )

  it.live("keeps no answer in memory", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      const [answers, characters] = [100, 200_000]
      yield* Effect.gen(function* () {
        const { run } = yield* PgClient
        const one = run({ operation: "test", text: "select repeat('x', $1::int)", parameters: [characters] })
        yield* Effect.repeat(one, { times: 20 })
        const before = collectedHeapBytes()
        yield* Effect.repeat(one, { times: answers })
        assert.isBelow(collectedHeapBytes() - before, (answers * characters) / 4)
      }).pipe(Effect.provide(layer({ dataDir: folder })))
    })
  )

  it.live("keeps a schema of any name", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      const applied = yield* Effect.provide(migrate, layer({ dataDir: folder, schema: `my "schema"; --` }))
      assert.deepStrictEqual(
        applied,
        migrations.map(({ name }) => name)
      )
    })
  )
})
