import { rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { AccessChanges, OrganisationRepository, RateLimiter, type RepositoryError } from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { anOrganisation, MemoryDocumentStorage } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { migrated } from "../Databases.ts"
import { copyEmptyDatabase } from "../EmptyDatabase.ts"
import { obstacle, smallDisk } from "./SmallDisk.ts"

/** Bytes that are left of the disk: a hundred writes. */
const leftBytes = 262_144

/** Takes all but a little of the disk. */
const fill = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder)
  await writeFile(join(folder, "filler"), Buffer.alloc(bavail * bsize - leftBytes))
}

/** The cases: which file the disk has no room for. */
const cases: ReadonlyArray<readonly [string, Effect.Effect<unknown, RepositoryError, PgClient>]> = [
  ["a table", Effect.void],
  // The next write needs a new segment of the log, which has 16 MB.
  ["the write-ahead log", PgClient.use(({ run }) => run({ operation: "test", text: "select pg_switch_wal()" }))]
]

describe.skipIf(obstacle !== undefined)("an embedded database on a full disk", () => {
  it.live.each(cases)("fails as unavailable, keeps all acknowledged writes, and recovers: %s", ([_, prepare]) =>
    Effect.gen(function* () {
      const { path: folder } = yield* smallDisk("size=128m")
      const dataDir = join(folder, "database")
      yield* Effect.promise(() => copyEmptyDatabase(dataDir))
      const ports = yield* Layer.build(migrated(Pglite.layer({ dataDir, queryTimeout: "30 seconds" })))
      const organisation = anOrganisation()
      yield* OrganisationRepository.use((organisations) => organisations.insert(organisation)).pipe(
        Effect.provideContext(ports)
      )
      const adapters = Layer.mergeAll(
        Layer.succeedContext(ports),
        AccessChanges.layerInProcess,
        RateLimiter.layerInProcess,
        MemoryDocumentStorage.layer
      )
      yield* Effect.promise(async () => {
        const authenticate = () => ({ organisationId: organisation.id })
        const { dispose, handler } = toWebHandler(adapters, { authenticate })
        const post = (siteName: string) =>
          handler(
            new Request("http://localhost/api/sites", {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: JSON.stringify({ siteName, capacity: 1, unit: "MW", address: siteName.padEnd(500, ".") })
            })
          )
        const acknowledged: Array<string> = []
        const write = async (siteName: string) => {
          const response = await post(siteName)
          if (response.status === 201) acknowledged.push(siteName)
          return response
        }
        assert.strictEqual((await write("before")).status, 201)
        await fill(folder)
        await Effect.runPromise(Effect.provideContext(prepare, ports))
        let last = await write("Site 0")
        for (let count = 1; last.status === 201 && count < 20_000; count++) last = await write(`Site ${count}`)
        assert.strictEqual(last.status, 503)
        assert.include(await last.text(), "database_unavailable")
        assert.isNotNull(last.headers.get("retry-after"))
        assert.strictEqual((await write("while it is full")).status, 503)
        await rm(join(folder, "filler"))
        while ((await write("after")).status === 503) await setTimeout(20)
        const list = await (await handler(new Request("http://localhost/api/sites"))).text()
        const stored = JSON.parse(list).data.map(({ siteName }: { siteName: string }) => siteName)
        assert.deepStrictEqual(stored, acknowledged)
        await dispose()
      })
    })
  )
})
