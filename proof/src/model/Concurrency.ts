/**
 * Concurrent calls. Their answers must be those of some order of the calls, one after another.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { type Answer, type Call, uuidIn } from "./Call.ts"
import { type CallTemplate, resolve } from "./CallTemplate.ts"
import { leakIn } from "./Isolation.ts"
import { happened, judge } from "./Judge.ts"
import { between, type Instant, isRecord } from "./Match.ts"
import type { ModelState, Organisation } from "./ModelState.ts"
import { hasFile } from "./operations.ts"
import { callerOf } from "./rules/Sessions.ts"
import { describe, firstOf, Mismatch, nextRequestId, send, type TestRun } from "./TestRun.ts"

/** `undefined` is the answer of a server that was killed, in the time of the call. */
type Pair = readonly [Call, Answer | undefined, Instant]

/** A second request with a key in use is refused, and changes nothing. */
const isInUse = ([call, answer]: Pair, others: ReadonlyArray<Pair>): boolean => {
  const body = answer?.body
  const { "idempotency-key": key } = call.headers
  return (
    isRecord(body) &&
    (body["code"] === "idempotency_key_in_use" || body["code"] === "idempotency_key_reused") &&
    others.some(([other]) => other !== call && other.headers["idempotency-key"] === key)
  )
}

/** Two files of an organisation are taken at a time, and two imports run in a process. */
const isOneTooMany = ([call, answer]: Pair, all: ReadonlyArray<Pair>): boolean =>
  hasFile(call.operation) &&
  answer?.status === 503 &&
  isRecord(answer.body) &&
  answer.body["code"] === "overloaded" &&
  all.filter(([other]) => hasFile(other.operation)).length > 2

/** Their statements change nothing when the role is another one than the session had. */
const comparesRole: ReadonlyArray<string> = ["updateUser", "deleteUser", "createInvitation"]

/** The call changes the role of the user, or deletes the user. */
const changesRole = ({ users }: Organisation, [call, answer]: Pair, userId: string): boolean => {
  if (uuidIn(call.ids[0]) !== userId || (answer?.status ?? 200) >= 300) return false
  const role = isRecord(call.body) ? call.body["role"] : undefined
  return (
    call.operation === "deleteUser" ||
    (call.operation === "updateUser" && role !== undefined && role !== users.get(userId)?.role)
  )
}

/**
 * A user is refused when another call of the group changes its role or deletes it meanwhile: the
 * statement finds another role than the session had, or no user.
 */
const isOvertaken = ({ organisations }: ModelState, [call, answer]: Pair, others: ReadonlyArray<Pair>): boolean => {
  if (!comparesRole.includes(call.operation) || !isRecord(answer?.body)) return false
  const { code } = answer.body
  return organisations.some((organisation) => {
    const userId = organisation.sessions.find(({ token }) => token === call.session)?.userId
    if (userId === undefined) return false
    const isGone = code === "user_not_found" && uuidIn(call.ids[0]) === userId
    const isRefused = code === "role_insufficient" || code === "invitation_not_found" || isGone
    return isRefused && others.some((other) => other[0] !== call && changesRole(organisation, other, userId))
  })
}

/** Calls that are refused because of others of their group have used their sessions all the same. */
const useSessions = (model: ModelState, refused: ReadonlyArray<Pair>): void => {
  for (const [{ session }, answer] of refused) {
    if (session && answer !== undefined) callerOf(model, session, answer)
  }
}

/** The models after the orders of the calls that explain their answers. */
const explain = (model: ModelState, pairs: ReadonlyArray<Pair>, faults: Set<string>): ReadonlyArray<ModelState> => {
  if (pairs.length === 0) return [model]
  return pairs.flatMap((pair) => {
    const [call, answer, time] = pair
    const next = structuredClone(model)
    const others = pairs.filter((other) => other !== pair)
    // It has happened whole, or not at all.
    if (answer === undefined) {
      happened(next, call, time)
      return [...explain(next, others, faults), ...explain(structuredClone(model), others, faults)]
    }
    const fault = judge(next, call, answer)
    if (fault === undefined) return explain(next, others, faults)
    faults.add(`${fault}\n${describe(call, answer)}`)
    return []
  })
}

/** Lists in which the order does not count. */
const unordered: ReadonlyArray<string> = ["events", "sessions", "downloads", "subscriptions", "webhookSecrets", "gone"]

/** Models that differ. Concurrent calls would otherwise leave one for each order: three logins make six. */
const distinct = (models: ReadonlyArray<ModelState>): ReadonlyArray<ModelState> => {
  const text = (model: ModelState) =>
    JSON.stringify(model, (key, value: unknown) => {
      if (value instanceof Map) return [...value].sort(([a], [b]) => (a < b ? -1 : 1))
      if (value instanceof Set) return [...value].sort()
      return unordered.includes(key) && Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value
    })
  return [...new Map(models.map((model) => [text(model), model])).values()]
}

/** Sends calls at once; with a kill to one server, which ends before it has answered all. */
const sendAll = async (testRun: TestRun, calls: ReadonlyArray<Call>, killed: boolean): Promise<ReadonlyArray<Pair>> => {
  const { kill, now, servers } = testRun.target
  const from = now()
  const one = testRun.requests % servers
  const isKilled = killed && kill !== undefined
  const sent = Promise.allSettled(calls.map((call, index) => send(testRun, call, isKilled ? one : index % servers)))
  if (isKilled) {
    await sleep(testRun.requests % 7)
    await kill(one)
  }
  const settled = await sent
  return calls.map((call, index) => {
    const outcome = settled[index]
    if (outcome?.status === "fulfilled") return [call, outcome.value, between(from, now())]
    if (!isKilled) throw outcome?.reason
    return [call, undefined, between(from, now())]
  })
}

/** The calls that were answered. */
export const runConcurrently = async (
  testRun: TestRun,
  templates: ReadonlyArray<CallTemplate>,
  killed: boolean
): Promise<ReadonlyArray<Call>> => {
  const model = firstOf(testRun)
  const calls = templates.map((template) => resolve(model, template, nextRequestId(testRun)).call)
  const pairs = await sendAll(testRun, calls, killed)
  for (const [call, answer] of pairs) {
    if (answer === undefined) continue
    const leak = leakIn(model, call, answer)
    if (leak !== undefined) throw new Mismatch(`${leak}\n${describe(call, answer)}`)
  }
  const faults = new Set<string>()
  const isRefused = (pair: Pair) => isInUse(pair, pairs) || isOvertaken(model, pair, pairs) || isOneTooMany(pair, pairs)
  const refused = pairs.filter(isRefused)
  const effective = pairs.filter((pair) => !refused.includes(pair))
  for (const one of testRun.models) useSessions(one, refused)
  const found = testRun.models.flatMap((one) => explain(one, effective, faults))
  if (found.length > 0) testRun.models = distinct(found)
  else throw new Mismatch(`no order explains the answers of concurrent calls:\n${[...faults].slice(0, 6).join("\n")}`)
  return pairs.flatMap(([call, answer]) => (answer === undefined ? [] : [call]))
}
