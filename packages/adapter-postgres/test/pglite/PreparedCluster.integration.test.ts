import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { creating } from "../../src/pglite/PgliteFolder.ts"
import { unpackCluster } from "../../src/pglite/PreparedCluster.ts"
import { temporaryFolder } from "../Databases.ts"

// A process this short never regains the time in which V8 optimises the WebAssembly of the database.
const liftoff = "--liftoff-only"

// Position of the version of the format in `pg_control`, of which Postgres reads one alone.
const versionAt = 8

const unpackOtherVersion = (folder: string): void => {
  unpackCluster(folder)
  const path = join(folder, "global", "pg_control")
  const content = readFileSync(path)
  content.writeUInt32LE(content.readUInt32LE(versionAt) - 100, versionAt)
  writeFileSync(path, content)
}

describe("the prepared database", () => {
  it.live("is what PGlite creates, byte for byte", () =>
    Effect.gen(function* () {
      const program = fileURLToPath(new URL("./makeCluster.ts", import.meta.url))
      const { stderr } = yield* Effect.promise(() => promisify(execFile)(process.execPath, [liftoff, program]))
      assert.strictEqual(stderr, "")
    })
  )

  it.live("gives way to one that PGlite creates when Postgres refuses its files", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const attempts: Array<string> = []
      const open = async () => {
        attempts.push("opened")
        return PGlite.create({ dataDir })
      }
      const database = yield* Effect.promise(() => creating(dataDir, open, unpackOtherVersion))
      assert.strictEqual(attempts.length, 2)
      const { rows } = yield* Effect.promise(() => database.query("select 1 as one"))
      assert.deepStrictEqual(rows, [{ one: 1 }])
      yield* Effect.promise(() => database.close())
    })
  )
})
