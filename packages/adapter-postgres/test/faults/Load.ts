/**
 * Writers and readers at work, with their own record of what was acknowledged.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { PgClient } from "@solar-sites/adapter-postgres"
import { type Context, Effect, Result } from "effect"
import { activeTime } from "../../../../scripts/activeTime.ts"
import type { Serving } from "./Serving.ts"

/** One way to write: by the client or over HTTP. */
export interface Target {
  /** Stores a name. False when the store was unavailable; throws for any other failure. */
  readonly write: (name: string) => Promise<boolean>
  /** The stored names, or undefined when the store was unavailable. */
  readonly read: () => Promise<ReadonlyArray<string> | undefined>
}

interface Attempt {
  readonly name: string
  readonly isAcknowledged: boolean
  readonly endedAt: number
  /** Duration without stalls of the machine. */
  readonly activeMillis: number
}

const unlessUnavailable = async <A>(
  context: Context.Context<PgClient>,
  effect: Effect.Effect<A, unknown, PgClient>
) => {
  const result = await Effect.runPromise(Effect.result(Effect.provideContext(effect, context)))
  if (Result.isSuccess(result)) return result.success
  if (Reflect.get(Object(result.failure), "retryable") === true) return undefined
  throw result.failure
}

/** Rows of the table `record`, which has one column, by statements of the client. */
export const byClient = (context: Context.Context<PgClient>): Target => ({
  write: async (name) => {
    const text = "insert into record values ($1::text) returning name"
    const run = PgClient.use(({ run }) => run({ operation: "test", text, parameters: [name] }))
    return (await unlessUnavailable(context, run)) !== undefined
  },
  read: async () => {
    const text = "select name from record where $1"
    const run = PgClient.use(({ run }) => run({ operation: "test", text, parameters: [true], readOnly: true }))
    return (await unlessUnavailable(context, run))?.map(([name]) => String(name))
  }
})

/** Sites, over HTTP. */
export const overHttp = ({ ended, send }: Serving): Target => {
  const answer = async (line: string, expected: number, body?: object) => {
    const { body: text, code, retryAfter, status } = await send(line, body)
    if (status === expected) return text
    // A long list is streamed: its connection is cut when a later part cannot be had.
    if (status === 0 && body === undefined && ended() === null) return undefined
    if (status === 503 && code === "database_unavailable" && retryAfter !== null) return undefined
    throw new Error(`${line}: ${status} ${text} ${ended() ?? ""}`)
  }
  return {
    write: async (siteName) =>
      (await answer("POST /api/sites", 201, { siteName, capacity: 1, unit: "MW" })) !== undefined,
    read: async () => {
      const text = await answer("GET /api/sites", 200)
      return text === undefined
        ? undefined
        : JSON.parse(text).data.map(({ siteName }: { siteName: string }) => siteName)
    }
  }
}

export interface Load {
  readonly attempts: ReadonlyArray<Attempt>
  /** Acknowledged names that a read which began later did not see. */
  readonly stale: ReadonlyArray<string>
  /** True once a writer or the reader got an answer that is none of an unavailable store. */
  readonly hasFailed: () => boolean
  /** Rejects with that answer. */
  readonly stop: () => Promise<void>
}

// Between two attempts of a writer, and of the reader.
const [writeMillis, readMillis] = [5, 100]

/** Writes unique names with some writers, and reads all names with one reader, until it is stopped. */
export const startLoad = (target: Target, prefix: string, writers: number): Load => {
  const attempts: Array<Attempt> = []
  const stale: Array<string> = []
  let isOver = false
  let hasFailed = false

  const write = async (writer: number): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const name = `${prefix} ${writer}-${count}`
      using since = activeTime()
      const isAcknowledged = await target.write(name)
      attempts.push({ name, isAcknowledged, endedAt: performance.now(), activeMillis: since.millis() })
      await sleep(writeMillis)
    }
  }

  const read = async (): Promise<void> => {
    while (!isOver) {
      const before = attempts.flatMap(({ isAcknowledged, name }) => (isAcknowledged ? [name] : []))
      const seen = new Set(await target.read())
      if (seen.size > 0) stale.push(...before.filter((name) => !seen.has(name)))
      await sleep(readMillis)
    }
  }

  const working = Promise.all([read(), ...Array.from({ length: writers }, (_, writer) => write(writer))])
  working.catch(() => {
    hasFailed = true
    isOver = true
  })
  return {
    attempts,
    stale,
    hasFailed: () => hasFailed,
    stop: async () => {
      isOver = true
      await working
    }
  }
}
