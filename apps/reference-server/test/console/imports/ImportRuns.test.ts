import { type OrganisationId, RepositoryError, Sites } from "@solar-sites/core"
import { Deferred, Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ImportInput, importRuns } from "../../../src/console/imports/ImportRuns.ts"
import type { NewImport, SiteImportStore, StoredImport } from "../../../src/console/imports/SiteImportStore.ts"
import { makeImporting } from "../../import/Importing.ts"

const id = "0190a5c0-0000-7000-8000-000000000001"

const create = { upsert: false, mappings: [] }

/** Keeps one record of the organisation; `end` is resolved when it is finished. */
const recording = (organisationId: OrganisationId) => {
  let record: StoredImport | undefined
  let end = Deferred.makeUnsafe<StoredImport>()
  const begin = (started: NewImport): StoredImport | null => {
    if (record?.state === "running" || record?.state === "completed") return null
    if (record !== undefined && record.fingerprint !== started.fingerprint) return null
    const none = { problem: null, checkedRow: 0, storedRow: 0, created: 0, updated: 0, unchanged: 0 }
    const instants = { startedAt: 0, updatedAt: 0 }
    record = { ...none, ...instants, ...started, attempt: 0, ...record, state: "running" }
    end = Deferred.makeUnsafe()
    return record
  }
  const change = (changes: Partial<StoredImport>) => {
    if (record !== undefined) record = { ...record, ...changes }
    return record
  }
  const own = <A>(of: OrganisationId, use: () => A) =>
    of === organisationId ? Effect.sync(use) : Effect.die(new Error("another organisation"))
  const store: SiteImportStore = {
    begin: (of, started) => own(of, () => begin(started)),
    progress: (of, _, progress) => own(of, () => change(progress) !== undefined),
    finish: (of, _, given) =>
      Effect.suspend(() => {
        const problem = of === organisationId ? given : "another organisation"
        const finished = change({ problem, state: problem === null ? "completed" : "failed" })
        return finished === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(end, finished))
      }),
    list: (of, { id } = {}) => own(of, () => (record === undefined || (id ?? record.id) !== record.id ? [] : [record]))
  }
  return { store, ended: () => Effect.runPromise(Deferred.await(end)) }
}

describe("imports in the background", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>

  beforeAll(async () => {
    importing = await makeImporting()
  })

  afterAll(() => importing.close())

  const content = `siteName,capacity,unit\n${Array.from({ length: 2_500 }, (_, row) => `Site ${row},1,kW`).join("\n")}`

  const setup = async (bulk?: (real: Sites["Service"]) => Sites["Service"]["bulk"]) => {
    const { organisationId, runAs, sites } = await importing.join()
    const records = recording(organisationId)
    const scope = Scope.makeUnsafe()
    const real = await runAs(Sites)
    const chosen = bulk === undefined ? real : { ...real, bulk: bulk(real) }
    const building = importRuns(records.store).pipe(Effect.provideService(Sites, chosen), Scope.provide(scope))
    const begin = await runAs(building)
    return {
      ...records,
      scope,
      sites,
      start: async (more: Partial<ImportInput> = {}, text = content) => {
        const file = { content: Buffer.from(text), digest: text }
        const input = { id, userId: "ada" as never, fileName: "a.csv", ...file, options: create, ...more }
        return runAs(begin(input))
      }
    }
  }

  it("store a file once, however often they are started", async () => {
    const { ended, sites, start } = await setup()
    expect(await start()).toMatchObject({ _tag: "Accepted", stored: { state: "running" } })
    expect(await ended()).toMatchObject({ state: "completed", created: 2_500, checkedRow: 2_501, storedRow: 2_501 })
    expect(await start()).toMatchObject({ _tag: "Accepted", stored: { state: "completed", created: 2_500 } })
    expect(await start({ options: { ...create, upsert: true } })).toEqual({ _tag: "Reused" })
    expect(await start({ id: id.replace(/1$/, "2") })).toEqual({ _tag: "Busy" })
    expect(await sites()).toHaveLength(2_500)
  })

  it("go on after a failure where the stored rows end", async () => {
    const lost = new RepositoryError({ operation: "test", retryable: true, cause: new Error("connection lost") })
    let calls = 0
    const { ended, sites, start } = await setup(
      ({ bulk }) =>
        (input) =>
          Effect.suspend(() => (++calls === 2 ? Effect.fail(lost) : bulk(input)))
    )
    await start()
    expect(await ended()).toMatchObject({
      ...{ state: "failed", problem: "The server could not store the rows.", created: 999, storedRow: 1_000 }
    })
    await start()
    expect(await ended()).toMatchObject({ state: "completed", created: 2_500, storedRow: 2_501 })
    // The first step is not stored again.
    expect(calls).toBe(4)
    expect(await start()).toMatchObject({ _tag: "Accepted", stored: { state: "completed" } })
    expect((await sites()).map(({ siteName }) => siteName)).toEqual(
      Array.from({ length: 2_500 }, (_, row) => `Site ${row}`)
    )
  })

  it("record that the server was stopped", async () => {
    const storing = Deferred.makeUnsafe<void>()
    const { ended, scope, sites, start } = await setup(
      () => () => Effect.andThen(Deferred.succeed(storing, undefined), Effect.never)
    )
    await start()
    await Effect.runPromise(Deferred.await(storing))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(await ended()).toMatchObject({ state: "failed", problem: "The server was stopped.", storedRow: 0 })
    expect(await sites()).toEqual([])
  })

  it("store nothing when the check finds faults", async () => {
    const { ended, sites, start } = await setup()
    await start({}, `${content}\nWithout capacity,,kW\n`)
    expect(await ended()).toMatchObject({ state: "failed", problem: expect.stringContaining("1 fault"), created: 0 })
    expect(await sites()).toEqual([])
  })
})
