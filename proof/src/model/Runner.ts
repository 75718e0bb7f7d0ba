/**
 * Sends the calls of steps to a target, and judges each answer by the model.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { administer } from "./Administer.ts"
import type { Call } from "./Call.ts"
import { type CallTemplate, type Resolved, resolve } from "./CallTemplate.ts"
import { runConcurrently } from "./Concurrency.ts"
import { differenceOfTwins, leakIn } from "./Isolation.ts"
import { judge } from "./Judge.ts"
import { emptyModel } from "./ModelState.ts"
import { operations } from "./operations.ts"
import type { Administration } from "./steps/Administration.ts"
import { describe, firstOf, Mismatch, nextRequestId, send, type TestRun } from "./TestRun.ts"
import type { Target } from "./targets/Target.ts"

/**
 * `killed` ends their server under way. `repeat` sends one of the
 * calls with an `Idempotency-Key` again. `follow` asks for the page of a cursor, or for that of
 * another list.
 */
export type Step =
  | CallTemplate
  | Administration
  | { readonly concurrent: ReadonlyArray<CallTemplate>; readonly killed?: true }
  | { readonly repeat: number }
  | { readonly follow: number; readonly limit: string; readonly otherList: boolean }

const runCall = async (testRun: TestRun, { call, twin }: Resolved): Promise<void> => {
  if ("idempotency-key" in call.headers) testRun.repeatable.push(call)
  const answer = await send(testRun, call)
  const faults: Array<string> = []
  const leak = leakIn(firstOf(testRun), call, answer)
  testRun.models = testRun.models.filter((model) => {
    const fault = judge(model, call, answer)
    if (fault !== undefined) faults.push(fault)
    return fault === undefined
  })
  const fault = leak ?? (testRun.models.length === 0 ? faults[0] : undefined)
  if (fault !== undefined) throw new Mismatch(`${fault}\n${describe(call, answer)}`)
  const isRepeatable = answer.status >= 400 || operations[call.operation].method === "GET"
  if (twin === undefined || !isRepeatable || "idempotency-key" in call.headers) return
  const twinAnswer = await send(testRun, twin)
  const differs = differenceOfTwins(call, answer, twin, twinAnswer)
  if (differs !== undefined) throw new Mismatch(`${differs}\n${describe(call, answer)}`)
}

/** The first answer within the bound of the target that the model expects. */
const probe = async (testRun: TestRun, secret: string, server: number): Promise<void> => {
  const end = performance.now() + testRun.target.revocationMillis
  while (true) {
    const call: Call = {
      ...{ operation: "getMe", ids: [], query: [], body: undefined, headers: {}, secret },
      requestId: nextRequestId(testRun)
    }
    const isLate = performance.now() > end
    const answer = await send(testRun, call, server)
    const fault = judge(structuredClone(firstOf(testRun)), call, answer)
    if (fault === undefined) return
    if (isLate) throw new Mismatch(`${fault}\n${describe(call, answer)}`)
    await sleep(20)
  }
}

/** Asks every server with every key, after a change of keys or organisations. */
const probeKeys = async (testRun: TestRun): Promise<void> => {
  for (const { keys } of firstOf(testRun).organisations) {
    for (const { secret } of keys) {
      for (let server = 0; server < testRun.target.servers; server++) await probe(testRun, secret, server)
    }
  }
}

const follow = async (testRun: TestRun, step: Extract<Step, { readonly follow: number }>): Promise<void> => {
  const { cursors, organisations: all } = firstOf(testRun)
  const [cursor, place] = [...cursors][step.follow % Math.max(1, cursors.size)] ?? []
  const owner = all.find(({ id }) => id === place?.organisation)
  if (cursor === undefined || place === undefined || owner === undefined) return
  const { conditions, ids, operation } = place
  const more = step.otherList && operation === "listSites" ? [["q", "another"] as const] : []
  const call: Call = {
    ...{ operation, ids, body: undefined, headers: {}, secret: owner.keys[0]?.secret ?? null },
    query: [
      ...conditions.filter(([name]) => more.length === 0 || name !== "q"),
      ...more,
      ["limit", step.limit],
      ["cursor", cursor]
    ],
    requestId: nextRequestId(testRun)
  }
  await runCall(testRun, { call })
}

const accessChanges: ReadonlyArray<string> = ["deleteKey", "rotateKey", "setStatus", "replaceLast"]

const runStep = async (testRun: TestRun, step: Step): Promise<void> => {
  if ("concurrent" in step) return runConcurrently(testRun, step.concurrent, step.killed === true)
  if ("does" in step) {
    await administer(testRun, step)
    return accessChanges.includes(step.does) ? probeKeys(testRun) : undefined
  }
  if ("follow" in step) return follow(testRun, step)
  if (!("repeat" in step)) return runCall(testRun, resolve(firstOf(testRun), step, nextRequestId(testRun)))
  const call = testRun.repeatable[step.repeat % Math.max(1, testRun.repeatable.length)]
  if (call !== undefined) await runCall(testRun, { call: { ...call, requestId: nextRequestId(testRun) } })
}

const organisations = [0, 1, 2]

const who = (organisation: number) => ({ organisation, key: 0 })

/** Every list of every organisation. */
const everything: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation) =>
  (
    [
      "listSites",
      "listPortfoliosWithSites",
      "listDocuments",
      "listCoverage",
      "listWebhooks",
      "getDocumentRequirements",
      "listEvents"
    ] as const
  ).map((call) => ({
    call,
    who: who(organisation),
    ids: []
  }))
)

const file = { filename: { "@text": "first" }, mimeType: "application/pdf", documentType: "insurance" }

/** Something to work with in each organisation. */
const beginnings: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation): ReadonlyArray<CallTemplate> => {
  const portfolioId = { "@id": "portfolios", of: "own", n: 0 }
  const site = { siteName: { "@text": "First" }, capacity: 1, unit: "MW", portfolioId }
  return [
    { call: "createPortfolios", who: who(organisation), ids: [], body: [{ name: { "@text": "First" } }] },
    { call: "createSite", who: who(organisation), ids: [], body: site },
    { call: "createSite", who: who(organisation), ids: [], body: { siteName: "Second", capacity: 2, unit: "kW" } },
    {
      call: "issueUploadUrls",
      who: who(organisation),
      ids: [],
      body: { siteId: { "@id": "sites", of: "own", n: 0 }, fileType: "documents", files: [file, file] }
    }
  ]
})

/** Runs all steps, and compares all lists in the end. Rejects with a `Mismatch`. */
export const runSteps = async (target: Target, steps: ReadonlyArray<Step>): Promise<number> => {
  const testRun: TestRun = { target, models: [emptyModel()], requests: 1_000, repeatable: [] }
  for (const _ of organisations) await administer(testRun, { does: "createOrganisation" })
  const activate = organisations.map((organisation) => ({ does: "setStatus", organisation, status: "active" }) as const)
  const files = organisations.map((organisation) => ({ does: "put", organisation, n: 0, how: "right" }) as const)
  for (const step of [...beginnings, ...files, ...steps, ...activate, ...everything]) await runStep(testRun, step)
  return testRun.requests - 1_000
}
