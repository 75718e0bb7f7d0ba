/**
 * Follows the primary among several hosts. Statements go to the host that was last
 * found to accept writes, reads included: a standby may lag behind.
 *
 * Three signs start a search. A lost connection or a refused write stops statements
 * until the search has an answer, so that no read reaches a server that came back as
 * a standby. A statement without an answer for a second only starts a search: the
 * statement may be slow, or wait for a lock or a synchronous standby.
 *
 * When two hosts accept writes, the one with the higher timeline was promoted last. A
 * former primary is never followed again before it has become a standby.
 */
import type { PgOwnClient } from "./PgDriver.ts"
import { isAnswered, isConnectionLost, mayHaveMoved, noPrimary, PgFailure, toFailure } from "./PgErrors.ts"
import type { PgRows } from "./PgStatement.ts"

/** One host of a database. */
export interface PgHost {
  /** Name and port, for messages. */
  readonly name: string
  /** `onClose` is called for every connection that closes. */
  readonly open: (onClose: () => void) => PgOwnClient
}

interface FollowOptions {
  readonly poolSize: number
  /** Time limit of one question to a host. */
  readonly connectMillis: number
  /** The latest timeline of each cluster that was followed. Outlives the client. */
  readonly timelines: Map<string, string>
}

/** A host, and the connections to it. */
interface Connected {
  readonly host: PgHost
  readonly client: PgOwnClient
}

/** Each promotion in a cluster begins a new timeline. */
interface Lineage {
  /** System identifier. A cluster and its standbys share it. */
  readonly cluster: string
  /** Eight hexadecimal digits. */
  readonly timeline: string
}

/** A host that accepts writes. */
interface Found extends Connected, Lineage {}

interface Search {
  /** Resolves when the primary is found, when no host is it, or after a second. */
  readonly answered: Promise<void>
  /** Why each host is not the primary. */
  readonly reasons: Map<string, string>
}

// Between two questions to one host. A promotion is noticed within it.
const againMillis = 200

// Time for a second primary to answer, too.
const choiceMillis = 100

// After it, statements fail until the primary is found; and a statement makes the primary suspect.
const silenceMillis = 1_000

// Between two suspicions. Below the silence, so that each statement is heard every second.
const suspicionMillis = 500

const readOnlyText = "show transaction_read_only"
const lineageText =
  "select left(pg_walfile_name(pg_current_wal_lsn()), 8) || ' ' || (pg_control_system()).system_identifier"

/** A client on the primary. Searches with the first statement, and asks all hosts at once. */
export const followPrimary = (hosts: ReadonlyArray<PgHost>, options: FollowOptions): PgOwnClient => {
  const { connectMillis, poolSize, timelines } = options
  const clients = new Set<PgOwnClient>()
  let current: Connected | undefined
  let isTrusted = false
  let isEnded = false
  let search: Search | undefined
  let suspectedAt = Number.NEGATIVE_INFINITY

  const open = (host: PgHost): PgOwnClient => {
    const client = host.open(() => distrust(client))
    clients.add(client)
    return client
  }

  // Statements under way on a host that is not the primary must not be waited for.
  const close = (client: PgOwnClient): void => {
    if (clients.delete(client)) void client.end({ timeout: 0 })
  }

  const distrust = (client: PgOwnClient): void => {
    if (client === current?.client) isTrusted = false
  }

  const valueFrom = (client: PgOwnClient, text: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const onLimit = (): void => reject(new PgFailure("no answer", "CONNECT_TIMEOUT"))
      const limit = setTimeout(onLimit, connectMillis).unref()
      const answer = Promise.resolve(client.unsafe(text).values())
      answer.then(([row]) => resolve(row?.[0]), reject).finally(() => clearTimeout(limit))
    })

  /** The host when it is a primary, or the reason why it is not. */
  const ask = async (host: PgHost): Promise<Found | string> => {
    // An open connection proves more than a new one: the server has not been restarted.
    const known = current?.host === host ? current.client : undefined
    const client = known ?? open(host)
    try {
      // Each of the open connections may be lost.
      const isReadOnly = await readOnlyOf(client, known === undefined ? 0 : poolSize)
      const lineage = isReadOnly === "off" ? await lineageOf(client) : undefined
      if (lineage !== undefined && lineage.timeline >= (timelines.get(lineage.cluster) ?? "")) {
        return { host, client, ...lineage }
      }
      // Its connections may lead to a former primary, and its name to the new one.
      distrust(client)
      if (client === current?.client) current = undefined
      close(client)
      return lineage === undefined ? "read-only" : `former primary, on the earlier timeline ${lineage.timeline}`
    } catch (cause) {
      if (client !== known) close(client)
      return toFailure(cause).message
    }
  }

  const readOnlyOf = (client: PgOwnClient, repetitions: number): Promise<unknown> =>
    valueFrom(client, readOnlyText).catch((cause: unknown) => {
      if (repetitions > 0 && isConnectionLost(toFailure(cause))) return readOnlyOf(client, repetitions - 1)
      throw cause
    })

  /** Empty texts when the server refuses to say. */
  const lineageOf = async (client: PgOwnClient): Promise<Lineage> => {
    const answer = await valueFrom(client, lineageText).catch((cause: unknown) => {
      if (!isAnswered(toFailure(cause))) throw cause
    })
    const [, timeline = "", cluster = ""] = /^([0-9A-F]{8}) (\d+)$/.exec(String(answer)) ?? []
    return { cluster, timeline }
  }

  const follow = (found: ReadonlyArray<Found>): void => {
    for (const { cluster, timeline } of found) {
      if (timeline > (timelines.get(cluster) ?? "")) timelines.set(cluster, timeline)
    }
    const latest = found
      .filter(({ cluster, timeline }) => timeline === (timelines.get(cluster) ?? ""))
      .toSorted((a, b) => hosts.indexOf(a.host) - hosts.indexOf(b.host))
    const best = latest.find(({ client }) => client === current?.client) ?? latest[0]
    if (best === undefined) return
    const old = current?.client
    current = best
    isTrusted = true
    for (const client of [old, ...found.map((one) => one.client)]) {
      if (client !== undefined && client !== best.client) close(client)
    }
  }

  const begin = (): Search => {
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    const own: Search = { answered, reasons: new Map() }
    const found: Array<Found> = []
    let unasked = hosts.length

    const finish = (): void => {
      if (search !== own) return
      search = undefined
      follow(found)
      resolve()
    }

    const visit = async (host: PgHost): Promise<void> => {
      for (let isFirst = true; search === own; isFirst = false) {
        const answer = await ask(host)
        if (isFirst) unasked -= 1
        if (typeof answer === "string") own.reasons.set(host.name, answer)
        else if (search === own) found.push(answer)
        else if (answer.client !== current?.client) close(answer.client)
        if (found.length > 0) {
          if (unasked === 0) finish()
          else setTimeout(finish, choiceMillis)
        } else if (unasked === 0) resolve()
        if (typeof answer !== "string") return
        await new Promise((again) => setTimeout(again, againMillis).unref())
      }
    }

    search = own
    setTimeout(resolve, silenceMillis).unref()
    for (const host of hosts) void visit(host)
    return own
  }

  const suspect = (client: PgOwnClient): void => {
    const now = performance.now()
    if (client !== current?.client || isEnded || now - suspectedAt < suspicionMillis) return
    suspectedAt = now
    search ??= begin()
  }

  const watched = async (client: PgOwnClient, answer: PromiseLike<PgRows>): Promise<PgRows> => {
    const silence = setInterval(suspect, silenceMillis, client).unref()
    try {
      return await answer
    } catch (cause) {
      if (mayHaveMoved(toFailure(cause))) distrust(client)
      throw cause
    } finally {
      clearInterval(silence)
    }
  }

  return {
    options: { max: poolSize },
    ready: () => {
      if (isTrusted || isEnded) return undefined
      search ??= begin()
      return search.answered
    },
    unsafe: (...query) => ({
      values: async () => {
        if (!isTrusted || current === undefined) throw noPrimary(search?.reasons ?? new Map())
        return watched(current.client, current.client.unsafe(...query).values())
      }
    }),
    end: async (ending) => {
      isEnded = true
      isTrusted = false
      search = undefined
      for (const client of clients) if (client !== current?.client) close(client)
      await current?.client.end(ending)
    }
  }
}
