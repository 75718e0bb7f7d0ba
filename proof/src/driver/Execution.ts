/**
 * Runs a program against a server through a network with faults, and compares every answer and every
 * stored row with what its caller was told.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { PgClient, type PgLayerOptions } from "@solar-sites/adapter-postgres"
import { RepositoryError } from "@solar-sites/core"
import { Cause, Context, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { within } from "../check.ts"
import { openNetwork } from "../Network.ts"
import type { Action, Program, Statement } from "./Program.ts"
import { type Asked, type Expectation, setupSql, statementKinds, statementsOn } from "./Statements.ts"

/** Makes the client under test; the proof itself takes `PgClient.layer`. */
export type Subject = (options: PgLayerOptions) => Layer.Layer<PgClient>

/** `unknown`: lost connections, deadlines and interruptions; the caller does not know. */
type Outcome = "answered" | "refused" | "unknown"

type Totals = Record<Outcome | "statements", number>

export type Bench = Awaited<ReturnType<typeof openBench>>

const usualTimeoutMillis = 1_000
/** For an answer after the faults, on a busy machine. */
const attempts = 40

// More would only wait in the queue of the pool.
const maximumUnderWay = 64

// Bounds waits that end by themselves, on a busy machine too.
const patienceMillis = 60_000

// A server that closes a connection, a deadline, and what the network does to the driver.
const innocent =
  /^(QUERY_TIMEOUT|CONNECT_TIMEOUT|CONNECTION_\w+|ECONN\w+|EPIPE|ETIMEDOUT|57014|57P0[123]|08(?!P01)\w{3}|53300)$/

/** The statement took effect or not; its caller cannot know. */
const isUnknown = (code: string): boolean => innocent.test(code) && code !== "57014"

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

/** Throws when the statement may not end like this. */
const judge = (expects: Expectation, exit: Exit.Exit<void, RepositoryError>): Outcome => {
  if (Exit.isSuccess(exit)) {
    if (expects === "refusal") throw new Error("answered, although it must be refused")
    return "answered"
  }
  if (Cause.hasInterruptsOnly(exit.cause)) return "unknown"
  const error: unknown = Cause.squash(exit.cause)
  const code = codeOf(error instanceof RepositoryError ? error.cause : error)
  if (isUnknown(code)) return "unknown"
  const isRefusal = code !== "MIXED_ANSWER" && (error instanceof RepositoryError || code === "UNDEFINED_PARAMETER")
  if (code === "57014" || (expects !== "rows" && isRefusal)) return "refused"
  throw new Error(`failed with ${code}: ${String(error instanceof RepositoryError ? error.cause : error)}`, {
    cause: error
  })
}

const awaited = <A>(what: string, promise: Promise<A>): Promise<A> =>
  within(patienceMillis, `${what}: not within ${patienceMillis} ms`, promise)

const until = async (what: string, isDone: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + patienceMillis
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${patienceMillis} ms`)
    await sleep(5)
  }
}

export const openBench = async (url: string, subject: Subject, timeoutMillis = usualTimeoutMillis) => {
  const totals: Totals = { statements: 0, answered: 0, refused: 0, unknown: 0 }
  let programs = 0
  const direct: PgLayerOptions = { url: Redacted.make(url), poolSize: 2, queryTimeout: patienceMillis }
  const scope = Scope.makeUnsafe()
  const { run: runDirectly } = await Effect.runPromise(
    Effect.map(Scope.provide(Layer.build(PgClient.layer(direct)), scope), (built) => Context.get(built, PgClient))
  )
  const admin = (text: string) => Effect.runPromise(runDirectly({ operation: "admin", text }))
  await admin(setupSql)

  /** Rejects with the first broken promise. Programs can run at once; each has a pool and a network. */
  const run = async (program: Program): Promise<void> => {
    const network = await openNetwork(Number(new URL(url).port))
    programs += 1
    const name = `proof ${programs} ${Date.now()}`
    const ends: Array<{ readonly statement: Statement; readonly asked: Asked; readonly outcome: Outcome }> = []
    const { actions, poolSize, pooler, rowLevelSecurity } = program

    const backends = (act: string, count: number) =>
      admin(`select ${act}(pid) from pg_stat_activity where application_name = '${name}' order by pid limit ${count}`)

    const act = (action: Exclude<Action, Statement>): Promise<unknown> | undefined => {
      switch (action.do) {
        case "pause":
          return sleep(action.millis)
        case "terminate":
          return void backends("pg_terminate_backend", action.backends).catch(() => {})
        case "cancel":
          return void backends("pg_cancel_backend", action.backends).catch(() => {})
        case "network":
          network.set(action.conditions)
          return void setTimeout(network.set, action.millis, {})
        case "reset":
          return void network.reset()
        case "halfClose":
          return void network.halfClose(action.to)
        case "cut":
          return void network.cutAfter(action.bytes, action.to)
      }
    }

    const runOn = Effect.gen(function* () {
      const client = yield* PgClient
      const statements = statementsOn(client)
      const context = yield* Effect.context<never>()
      const waiting: Array<Promise<Outcome>> = []
      let underWay = 0
      let settled = Promise.withResolvers<void>()

      const ask = async (statement: Statement, index: number): Promise<Outcome> => {
        const own = `00000000-0000-7000-8000-${String(statement.organisation).padStart(12, "0")}`
        const asked: Asked = { own, id: `${name} ${index}`, size: statement.size }
        const fiber = Effect.runForkWith(context)(statements[statement.kind](asked))
        const { interruptedAfterMillis: millis } = statement
        if (millis !== null) setTimeout(() => void Effect.runPromise(Fiber.interrupt(fiber)), millis)
        underWay += 1
        const exit = await Effect.runPromise(Fiber.await(fiber))
        underWay -= 1
        settled.resolve()
        settled = Promise.withResolvers()
        try {
          const outcome = judge(statementKinds[statement.kind].expects, exit)
          ends.push({ statement, asked, outcome })
          totals.statements += 1
          totals[outcome] += 1
          return outcome
        } catch (error) {
          throw new Error(`statement ${index}, ${statement.kind} of ${own}: ${String(error)}`, { cause: error })
        }
      }

      yield* Effect.promise(async () => {
        for (const [index, action] of actions.entries()) {
          if (action.do === "statement") {
            const answer = ask(action, index)
            // Awaited below.
            answer.catch(() => {})
            waiting.push(answer)
          } else await act(action)
          while (underWay >= maximumUnderWay) await awaited("an answer", settled.promise)
        }
        // A deadline ends each of them, while the network has its last fault.
        await awaited("an answer or a refusal of every statement", Promise.all(waiting))
        network.set({})
        await until("a full pool after the faults", () => isFull(client, context))
        const after = { do: "statement", organisation: 0, size: 0, interruptedAfterMillis: null } as const
        let index = actions.length
        for (const kind of ["read", "batchedRead", "write", "batchedWrite"] as const)
          while ((await ask({ ...after, kind }, index++)) !== "answered")
            if (index > actions.length + attempts) throw new Error(`no answer to ${kind} after the faults`)
      })
    })

    /** Whether statements of this pool are under way on all of its connections. */
    const isFull = async ({ run }: PgClient["Service"], context: Context.Context<never>): Promise<boolean> => {
      const blocked = run({ operation: "proof", text: "select pg_sleep(600)" })
      const all = Effect.all(
        Array.from({ length: poolSize }, () => Effect.ignore(blocked)),
        { concurrency: "unbounded" }
      )
      const fiber = Effect.runForkWith(context)(all)
      const isOver = Effect.runPromise(Fiber.await(fiber)).then(() => true)
      try {
        while (!(await Promise.race([isOver, sleep(10)]))) {
          const [[count] = []] = await admin(
            `select count(*) from pg_stat_activity where application_name = '${name}' and query ~ 'pg_sleep.600' and state = 'active'`
          )
          if (Number(count) >= poolSize) return true
        }
        return false
      } finally {
        await backends("pg_cancel_backend", poolSize)
        await isOver
      }
    }

    const layer = subject({
      url: Redacted.make(Object.assign(new URL(url), { port: String(network.port) }).href),
      applicationName: name,
      queryTimeout: timeoutMillis,
      connectTimeout: timeoutMillis,
      poolSize,
      pooler,
      rowLevelSecurity
    })
    await Effect.runPromise(Effect.provide(runOn, layer)).finally(() => {
      network.set({})
      return network.close()
    })

    // Statements under way end before the rows are counted.
    await until("the end of all backends", async () => (await backends("pg_terminate_backend", 100)).length === 0)
    const stored = new Map(
      (await admin(`select id, count(*) from proof_driver.written where id like '${name} %' group by id`)).map(
        ([id, count]) => [String(id).replace(/ refused$/, ""), Number(count)]
      )
    )
    for (const { asked, outcome, statement } of ends) {
      const { writes = 0 } = statementKinds[statement.kind]
      const count = stored.get(asked.id) ?? 0
      const isRight =
        outcome === "answered" ? count === writes : count === 0 || (outcome === "unknown" && count === writes)
      if (!isRight) throw new Error(`${asked.id}, ${statement.kind}, ${outcome}: stored ${count} times, not ${writes}`)
    }
  }

  return { totals, run, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}
