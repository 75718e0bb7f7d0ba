/**
 * Entry point of the thread that reads one file. It answers one request at a time, so that the
 * serving thread decides when a step is read: `TableReader`.
 */
import { parentPort, workerData } from "node:worker_threads"
import { type FileTable, openFile } from "./FileTable.ts"
import { type ImportFault, type Row, type TableSource, UnreadableTable } from "./Table.ts"
import type { ReadLimits } from "./TableLimits.ts"

/** `first` reads the file from the start. */
export type ThreadRequest = "open" | "first" | "next" | "numberColumns"

/** `failed`: the file system or the reader failed. */
export type ThreadReply =
  | { readonly _tag: "Answered"; readonly value: unknown }
  | { readonly _tag: "Unreadable"; readonly fault: ImportFault }
  | { readonly _tag: "Failed"; readonly message: string }

export interface ThreadInput {
  readonly source: TableSource
  readonly limits: ReadLimits
}

const { limits, source }: ThreadInput = workerData

let file: FileTable | undefined
let steps: AsyncGenerator<ReadonlyArray<Row>, undefined> | undefined

const answer = async (request: ThreadRequest): Promise<unknown> => {
  file ??= await openFile(source, limits)
  switch (request) {
    case "open":
      return { digest: file.digest, delimiter: file.delimiter }
    case "numberColumns":
      return file.numberColumns()
    case "first":
      await steps?.return(undefined)
      steps = file.steps()
      break
    case "next":
      break
  }
  const step = await steps?.next()
  return step?.value ?? []
}

const reply = (request: ThreadRequest): Promise<ThreadReply> =>
  answer(request).then(
    (value): ThreadReply => ({ _tag: "Answered", value }),
    (cause): ThreadReply =>
      cause instanceof UnreadableTable
        ? { _tag: "Unreadable", fault: cause.fault }
        : { _tag: "Failed", message: cause instanceof Error ? cause.message : String(cause) }
  )

parentPort?.on("message", async (request: ThreadRequest) => parentPort?.postMessage(await reply(request)))
