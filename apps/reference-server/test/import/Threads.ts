/** Threads that this process starts, and files that keep them busy. */
import type { Worker } from "node:worker_threads"
import { sheetOf } from "./Attacks.ts"

interface Thread {
  readonly worker: Worker
  readonly ended: Promise<number>
}

/** Watches the threads that start until it is disposed. */
export const watchThreads = () => {
  const threads: Array<Thread> = []
  const waiting: Array<{ readonly count: number; readonly resolve: () => void }> = []
  const add = (worker: Worker) => {
    threads.push({ worker, ended: new Promise((resolve) => worker.once("exit", resolve)) })
    for (const { count, resolve } of waiting) if (threads.length >= count) resolve()
  }
  process.on("worker", add)
  return {
    threads,
    /** Until this many have started. */
    started: (count: number): Promise<void> =>
      new Promise((resolve) => {
        if (threads.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    [Symbol.dispose]: () => void process.off("worker", add)
  }
}

let made: Uint8Array<ArrayBuffer> | undefined

/** A workbook of 130 kB that takes seconds to read: elements without a row. Packing it takes half a second. */
export const busy = (): Uint8Array<ArrayBuffer> => {
  made ??= new Uint8Array(sheetOf(`<w>${"<a/>".repeat(33_000_000)}</w>`))
  return made
}

export const streamOf = (content: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> => new Blob([content]).stream()
