/**
 * Reads a file in a thread of its own, with a limit of its heap and of its time. The thread reads a
 * step when it is asked for one, and ends with the scope.
 */
import { getCompileCacheDir } from "node:module"
import { Worker } from "node:worker_threads"
import { csvText } from "@solar-sites/core"
import { Clock, Data, Effect, Option, type Scope, Stream } from "effect"
import { Failure } from "../Failure.ts"
import type { NumberColumn } from "./NumberColumns.ts"
import { type Cell, type Row, type TableSource, UnreadableTable } from "./Table.ts"
import { limitsOf, type ReadLimits } from "./TableLimits.ts"
import type { ThreadInput, ThreadReply, ThreadRequest } from "./TableThread.ts"

/** The file takes more memory or time than a file may; the thread has ended. */
export class ReadingEnded extends Data.TaggedError("ReadingEnded")<{
  readonly code: "too_large" | "too_slow"
  readonly detail: string
}> {}

type ReadError = UnreadableTable | ReadingEnded | Failure

export interface Table {
  /** Identifies the bytes of the file. */
  readonly digest: string
  /** Delimiter of the file. A workbook has a semicolon: commas are decimal signs in both. */
  readonly delimiter: string
  /** Reads the file from the start on each run, in steps of bounded size, without empty rows. */
  readonly steps: Stream.Stream<ReadonlyArray<Row>, ReadError>
  /** Null where commas are decimal signs in all columns. */
  readonly numberColumns: Effect.Effect<ReadonlyArray<NumberColumn> | null, ReadError>
}

// Beside this module, in the sources and in the build.
const entry = new URL(import.meta.url.endsWith(".ts") ? "./TableThread.ts" : "./TableThread.js", import.meta.url)

type Ended = Extract<ThreadReply, { readonly _tag: "Failed" }> | ReadingEnded

/** A thread and its end. Its errors are heard until it has ended: unheard, they would end the process. */
const startThread = (input: ThreadInput) => {
  const { heapMegabytes } = input.limits
  const worker = new Worker(entry, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    // The thread needs neither the settings of the server nor the options of its process, except the
    // compile cache: without it a thread on sources takes 120 ms of processor time to start, with it 45.
    env: { NODE_COMPILE_CACHE: getCompileCacheDir() ?? "" },
    execArgv: []
  })
  let ended: Ended | undefined
  const listeners = new Set<(ended: Ended) => void>()
  const end = (how: Ended) => {
    ended ??= how
    for (const listener of listeners) listener(ended)
  }
  worker.on("error", (error) => {
    const isHeap = "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    const detail = `takes more than ${heapMegabytes} MB of memory to read`
    end(isHeap ? new ReadingEnded({ code: "too_large", detail }) : { _tag: "Failed", message: error.message })
  })
  worker.on("exit", () => end({ _tag: "Failed", message: "the reader has ended" }))
  const ask = (request: ThreadRequest) =>
    Effect.callback<ThreadReply | ReadingEnded>((resume) => {
      if (ended !== undefined) return resume(Effect.succeed(ended))
      const settle = (reply: ThreadReply | ReadingEnded) => {
        stop()
        resume(Effect.succeed(reply))
      }
      const stop = () => {
        worker.off("message", settle)
        listeners.delete(settle)
      }
      worker.on("message", settle)
      listeners.add(settle)
      worker.postMessage(request)
      return Effect.sync(stop)
    })
  return { ask, close: Effect.promise(() => worker.terminate()) }
}

// An export puts an apostrophe in front of a text that a spreadsheet would compute.
const cellOf = (cell: Cell): Cell => (typeof cell === "string" ? csvText(cell) : cell)

const rowOf = ({ cells, row }: Row): Row => ({ row, cells: cells.map(cellOf) })

/** Opens a file. A file that cannot be read at all is a `Failure`. */
export const openTable = Effect.fn("openTable")(function* (
  source: TableSource,
  limits: ReadLimits = limitsOf(source)
): Effect.fn.Return<Table, ReadError, Scope.Scope> {
  const thread = yield* Effect.acquireRelease(
    Effect.sync(() => startThread({ source, limits })),
    ({ close }) => close
  )
  let remaining = limits.seconds * 1_000

  const ask = Effect.fnUntraced(function* (request: ThreadRequest) {
    const started = yield* Clock.currentTimeMillis
    const reply = yield* Effect.timeoutOrElse(thread.ask(request), {
      duration: Math.max(0, remaining),
      orElse: () =>
        Effect.fail(new ReadingEnded({ code: "too_slow", detail: `takes more than ${limits.seconds} seconds to read` }))
    })
    remaining -= (yield* Clock.currentTimeMillis) - started
    switch (reply._tag) {
      case "Answered":
        return reply.value
      case "Unreadable": {
        const { code, column, detail, row } = reply.fault
        return yield* Effect.fail(new UnreadableTable(code, detail, row, column))
      }
      case "ReadingEnded":
        return yield* reply
      case "Failed": {
        const name = typeof source === "string" ? `The file ${source}` : "The file"
        return yield* new Failure({ message: `${name} cannot be read: ${reply.message}.` })
      }
    }
  })

  // The types of the answers are those of `TableThread`.
  const step = (request: "first" | "next") =>
    Effect.map(ask(request), (rows) => (rows as ReadonlyArray<Row>).map(rowOf))
  const numberColumns = Effect.map(ask("numberColumns"), (found) => found as ReadonlyArray<NumberColumn> | null)
  const { delimiter, digest } = (yield* ask("open")) as Pick<Table, "delimiter" | "digest">
  const steps = Stream.paginate("first" as "first" | "next", (request) =>
    Effect.map(step(request), (rows) =>
      rows.length === 0 ? [[], Option.none()] : [[rows], Option.some("next" as const)]
    )
  )
  return { digest, delimiter, steps, numberColumns }
})
