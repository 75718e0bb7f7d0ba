/**
 * Imports of sites run in the background. The next step waits for their end, and the model learns
 * the ids of the new sites.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { advance } from "./Administer.ts"
import { type Call, uuidIn } from "./Call.ts"
import type { Resolved } from "./CallTemplate.ts"
import type { SiteImport } from "./ImportState.ts"
import { isRecord } from "./Match.ts"
import type { ModelState, Organisation } from "./ModelState.ts"
import { runCall } from "./RunCall.ts"
import { end, extents, latest } from "./rules/ImportRuns.ts"
import { firstOf, Mismatch, nextRequestId, send, type TestRun } from "./TestRun.ts"

/** Pauses between two looks; all of them together last a minute, and a killed import 30 seconds. */
const pauses = { first: 2, growth: 1.2, longest: 10_000 }

/** With the session of another call. */
const callOf = (testRun: TestRun, operation: Call["operation"], { session = null }: Call): Call => ({
  ...{ operation, ids: [], query: [], body: undefined, headers: {}, secret: null, session },
  requestId: nextRequestId(testRun)
})

interface Found {
  readonly organisation: Organisation
  readonly one: SiteImport
}

const importOf = ({ organisations }: ModelState, { ids, session }: Call): Found | undefined => {
  const organisation = organisations.find(({ sessions }) => sessions.some(({ token }) => token === session))
  const one = organisation?.imports.get(uuidIn(ids[0]) ?? "")
  return organisation === undefined || one === undefined ? undefined : { organisation, one }
}

/** The state in the list, which the model judges; waits for another one than `running`. */
const lastState = async (testRun: TestRun, call: Call, isKilled: boolean): Promise<void> => {
  const { one: { id } = { id: "" } } = importOf(firstOf(testRun), call) ?? {}
  for (let millis = pauses.first; millis < pauses.longest; millis *= pauses.growth) {
    const { body } = await runCall(testRun, { call: callOf(testRun, "listImports", call) })
    const data: unknown = isRecord(body) ? body["data"] : undefined
    const found: unknown = Array.isArray(data) ? data.find((each) => isRecord(each) && each["id"] === id) : undefined
    if (!isRecord(found) || found["state"] !== "running" || isKilled) return
    await sleep(millis)
  }
  throw new Mismatch(`the import ${id} does not end`)
}

/** Ids of the sites that the model does not know, by age. */
const newSites = async (testRun: TestRun, call: Call, { sites }: Organisation): Promise<ReadonlyArray<string>> => {
  const { body } = await send(testRun, callOf(testRun, "listSites", call))
  const data: unknown = isRecord(body) ? body["data"] : undefined
  const ids = Array.isArray(data) ? data.map((site: unknown) => (isRecord(site) ? String(site["id"]) : "")) : []
  return ids.filter((id) => !sites.has(id)).sort()
}

/** Waits for the end of an import that has begun, if it has; the models that explain what it stored. */
export const settleImport = async (testRun: TestRun, call: Call, isKilled = false): Promise<void> => {
  if (importOf(firstOf(testRun), call) === undefined) return
  await lastState(testRun, call, isKilled)
  const { organisation } = importOf(firstOf(testRun), call) ?? {}
  if (organisation === undefined) return
  const ids = await newSites(testRun, call, organisation)
  const now = testRun.target.now()
  const before = testRun.models
  testRun.models = before.flatMap((model) =>
    // One that was not stopped has one extent.
    extents.flatMap((extent) => {
      const next = structuredClone(model)
      const found = importOf(next, call)
      if (found?.one.attempt === null && extent !== "all") return []
      for (const id of ids) next.ids.add(id)
      return found !== undefined && end(found.organisation, found.one, ids, now, extent) ? [next] : []
    })
  )
  if (testRun.models.length === 0) {
    const { attempt, state } = importOf(before[0] ?? firstOf(testRun), call)?.one ?? {}
    throw new Mismatch(`an import (${state}) stored ${ids.length} new sites of ${attempt?.plan.rows.length} rows`)
  }
  await runCall(testRun, { call: callOf(testRun, "listSites", call) })
}

/** An older one than the list has cannot be seen to end. */
const isListed = (found: Found | undefined): boolean =>
  found === undefined || latest(found.organisation).some(({ id }) => id === found.one.id)

/** With `stop` the server of the import ends at once, by a signal where it is a process. */
export const runImport = async (testRun: TestRun, resolved: Resolved, stop: boolean): Promise<void> => {
  const { call } = resolved
  if (!isListed(importOf(firstOf(testRun), call))) return
  // The list orders imports by the time of their begin.
  await advance(testRun, 1)
  const { kill, restart, servers } = testRun.target
  const server = testRun.requests % servers
  const { status } = await runCall(testRun, resolved, server)
  if (status !== 202) return
  if (stop) {
    for (const model of testRun.models) {
      const { attempt } = importOf(model, call)?.one ?? {}
      if (attempt) attempt.isStopped = true
    }
    await (kill?.(server) ?? restart())
  }
  await settleImport(testRun, call, stop && kill !== undefined)
}
