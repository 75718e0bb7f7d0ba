import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import { type FolderLocked, type FolderUnusable, layer } from "@solar-sites/adapter-postgres/pglite"
import { Effect } from "effect"
import { copyEmptyDatabase } from "../EmptyDatabase.ts"
import { obstacle, smallDisk } from "./SmallDisk.ts"

const opened = (dataDir: string) =>
  PgClient.use(({ run }) => run({ operation: "test", text: "select 'here'" })).pipe(
    Effect.provide(layer({ dataDir, queryTimeout: "30 seconds" }))
  )

const failure = (dataDir: string): Effect.Effect<string> =>
  Effect.match(opened(dataDir), {
    onSuccess: () => "opened",
    onFailure: (error: FolderLocked | FolderUnusable | { readonly message: string }) => error.message
  })

describe.skipIf(obstacle !== undefined)("the folder of an embedded database", () => {
  it.live("is named with the reason when there is no room, and is created as a whole once there is", () =>
    Effect.gen(function* () {
      const { change, path } = yield* smallDisk("size=1m")
      const dataDir = join(path, "below", "database")
      assert.strictEqual(
        yield* failure(dataDir),
        `the data folder ${dataDir} cannot be used: ENOSPC: no space left on device`
      )
      change("size=200m")
      // Postgres writes it long before it has created the rest, and might have had room for it.
      yield* Effect.promise(() => writeFile(join(dataDir, "PG_VERSION"), "18\n"))
      assert.deepStrictEqual(yield* opened(dataDir), [["here"]])
      assert.deepStrictEqual(yield* opened(dataDir), [["here"]])
    })
  )

  it.live("is named with the reason on a read-only file system, with a database and without", () =>
    Effect.gen(function* () {
      const { change, path } = yield* smallDisk("size=100m")
      const dataDir = join(path, "database")
      yield* Effect.promise(() => copyEmptyDatabase(dataDir))
      change("ro")
      for (const folder of [dataDir, join(path, "new"), join(path, "below", "new")]) {
        assert.match(yield* failure(folder), /^the data folder \S+ cannot be used: EROFS: read-only file system/)
      }
    })
  )
})

describe.skipIf(process.platform !== "linux")("a folder where none can be created", () => {
  it.live("fails with the reason", () =>
    Effect.gen(function* () {
      assert.match(yield* failure("/proc/none/database"), /ENOENT: no such file or directory, mkdir '.proc.none'/)
    })
  )
})
