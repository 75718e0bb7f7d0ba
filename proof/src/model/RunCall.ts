/**
 * Sends one call, and judges its answer by the model.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Answer, Call } from "./Call.ts"
import type { Resolved } from "./CallTemplate.ts"
import { getFile } from "./Files.ts"
import { differenceOfTwins, leakIn, outsideIn } from "./Isolation.ts"
import { judge } from "./Judge.ts"
import type { Organisation } from "./ModelState.ts"
import { operations } from "./operations.ts"
import { describe, firstOf, Mismatch, nextRequestId, send, type TestRun } from "./TestRun.ts"

/** Calls of the console that change what keys may do. */
const changesAccess = ({ operation }: Call, { status }: Answer): boolean =>
  status < 300 &&
  ["updateUser", "deleteUser", "rotateApiKey", "deleteApiKey", "finishProviderLogin"].includes(operation)

/** The answer, which the model expects. */
export const runCall = async (
  testRun: TestRun,
  { answered, call, twin }: Resolved,
  server = testRun.requests % testRun.target.servers
): Promise<Answer> => {
  if ("idempotency-key" in call.headers) testRun.repeatable.push(call)
  const answer = await send(testRun, call, server)
  await answered?.(answer)
  const faults: Array<string> = []
  const leak = leakIn(firstOf(testRun), call, answer) ?? outsideIn(firstOf(testRun), call, answer)
  testRun.models = testRun.models.filter((model) => {
    const fault = judge(model, call, answer)
    if (fault !== undefined) faults.push(fault)
    return fault === undefined
  })
  const fault = leak ?? (testRun.models.length === 0 ? faults[0] : undefined)
  if (fault !== undefined) throw new Mismatch(`${fault}\n${describe(call, answer)}`)
  if (changesAccess(call, answer)) await probeKeys(testRun, server)
  if (call.operation === "getDownloadUrl" && answer.status === 200) await getFile(testRun, answer)
  const isRepeatable = answer.status >= 400 || operations[call.operation].method === "GET"
  if (twin === undefined || !isRepeatable || "idempotency-key" in call.headers) return answer
  const twinAnswer = await send(testRun, twin)
  const differs = differenceOfTwins(call, answer, twin, twinAnswer)
  if (differs !== undefined) throw new Mismatch(`${differs}\n${describe(call, answer)}`)
  return answer
}

/** The first answer within so many milliseconds that the model expects. */
const probe = async (testRun: TestRun, secret: string, server: number, millis: number): Promise<void> => {
  const start = performance.now()
  while (true) {
    const call: Call = {
      ...{ operation: "getMe", ids: [], query: [], body: undefined, headers: {}, secret },
      requestId: nextRequestId(testRun)
    }
    const isLate = performance.now() - start >= millis
    const answer = await send(testRun, call, server)
    // A copy of the organisation of the key is enough, and much smaller.
    const ofKey = ({ keys }: Organisation) => keys.some((key) => key.secret === secret)
    const faults = testRun.models.map((model) =>
      judge({ ...model, organisations: structuredClone(model.organisations.filter(ofKey)) }, call, answer)
    )
    if (faults.includes(undefined)) return
    const [fault] = faults
    if (isLate) throw new Mismatch(`${fault}\n${describe(call, answer)}`)
    await sleep(20)
  }
}

/**
 * Asks every server with every key, after a change of keys or organisations. The one that made the
 * change knows it at once.
 */
export const probeKeys = async (testRun: TestRun, changedBy?: number): Promise<void> => {
  const { revocationMillis, servers } = testRun.target
  const all = Array.from({ length: servers }, (_, server) => server).sort((server) => (server === changedBy ? -1 : 0))
  for (const server of all) {
    for (const { secret } of firstOf(testRun).organisations.flatMap(({ keys }) => keys)) {
      await probe(testRun, secret, server, server === changedBy ? 0 : revocationMillis())
    }
  }
}
