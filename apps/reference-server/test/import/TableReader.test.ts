import { setImmediate } from "node:timers/promises"
import { Effect, Exit, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Row, TableSource } from "../../src/import/Table.ts"
import { limitsOf, type ReadLimits } from "../../src/import/TableLimits.ts"
import { openTable, ReadingEnded } from "../../src/import/TableReader.ts"
import { sheetOf } from "./Attacks.ts"
import { busy, watchThreads } from "./Threads.ts"

const limits = limitsOf(Buffer.of())

const rowsOf = (source: TableSource, given: ReadLimits = limits): Effect.Effect<ReadonlyArray<Row>, unknown> =>
  Effect.scoped(
    Effect.flatMap(openTable(source, given), ({ steps }) =>
      Effect.map(Stream.runCollect(steps), (found) => found.flat())
    )
  )

const errorOf = (source: TableSource, given?: ReadLimits) => Effect.runPromise(Effect.flip(rowsOf(source, given)))

describe("the thread that reads a file", () => {
  it("gives the rows as often as they are read, without the apostrophes of an export", async () => {
    const twice = Effect.flatMap(openTable(Buffer.from("a,b\n'=1,''+1\n'a,-1")), ({ delimiter, digest, steps }) =>
      Effect.gen(function* () {
        const [first, second] = [yield* Stream.runCollect(steps), yield* Stream.runCollect(steps)]
        expect(first).toEqual(second)
        return { delimiter, digest, rows: first.flat() }
      })
    )
    expect(await Effect.runPromise(Effect.scoped(twice))).toEqual({
      delimiter: ",",
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      rows: [
        { row: 1, cells: ["a", "b"] },
        { row: 2, cells: ["=1", "'+1"] },
        { row: 3, cells: ["'a", "-1"] }
      ]
    })
  })

  it("reads a step when it is asked for one", async () => {
    using watched = watchThreads()
    const content = Buffer.from(`a\n${"1\n".repeat(10_000)}`)
    let replies = 0
    const taken = Effect.flatMap(openTable(content), ({ steps }) =>
      Stream.runCollect(
        Stream.take(
          Stream.tap(steps, () => Effect.promise(() => setImmediate())),
          2
        )
      )
    )
    process.once("worker", (worker) => worker.on("message", () => replies++))
    const steps = await Effect.runPromise(Effect.scoped(taken))
    expect(steps.map(({ length }) => length)).toEqual([1_000, 1_000])
    // One reply opens the file.
    expect(replies).toBe(3)
    await Promise.all(watched.threads.map(({ ended }) => ended))
  })

  it("ends with its scope, also while it works", async () => {
    using watched = watchThreads()
    const exit = await Effect.runPromiseExit(
      Effect.raceFirst(
        rowsOf(busy()),
        Effect.promise(() => watched.started(1))
      )
    )
    expect(Exit.isSuccess(exit)).toBe(true)
    await watched.threads[0]?.ended
    expect(watched.threads).toHaveLength(1)
  })

  it("ends at the limit of its heap, and the process goes on", async () => {
    const shared = Array.from({ length: 400_000 }, (_, index) => `<si><t>text ${index}</t></si>`).join("")
    const content = sheetOf('<w><row><c t="s"><v>0</v></c></row></w>', shared)
    expect(await Effect.runPromise(rowsOf(content))).toHaveLength(1)
    const error = await errorOf(content, { ...limits, heapMegabytes: 16 })
    expect(error).toBeInstanceOf(ReadingEnded)
    expect(error).toMatchObject({ code: "too_large", detail: "takes more than 16 MB of memory to read" })
  })

  it("ends at the limit of its time", async () => {
    using watched = watchThreads()
    expect(await errorOf(busy(), { ...limits, seconds: 1 })).toMatchObject({
      _tag: "ReadingEnded",
      code: "too_slow",
      detail: "takes more than 1 seconds to read"
    })
    await Promise.all(watched.threads.map(({ ended }) => ended))
  })

  it("names a file that is missing", async () => {
    expect(await errorOf("/no/file.csv")).toMatchObject({
      message: expect.stringMatching(/^The file \/no\/file.csv cannot be read: ENOENT/)
    })
  })
})
