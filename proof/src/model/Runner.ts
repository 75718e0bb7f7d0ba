/**
 * Sends the calls of steps to a target, and judges each answer by the model.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { administer } from "./Administer.ts"
import type { Answer, Call } from "./Call.ts"
import { type CallTemplate, type Resolved, resolve } from "./CallTemplate.ts"
import { runConcurrently } from "./Concurrency.ts"
import { judgeDeliveries } from "./Deliveries.ts"
import { getFile } from "./Files.ts"
import { differenceOfTwins, leakIn } from "./Isolation.ts"
import { judge } from "./Judge.ts"
import { collectMails, judgeMails } from "./Mails.ts"
import { emptyModel } from "./ModelState.ts"
import { isOfConsole, operations } from "./operations.ts"
import { type ProviderLogin, providerCalls } from "./ProviderLogin.ts"
import type { Administration } from "./steps/Administration.ts"
import { describe, firstOf, Mismatch, nextRequestId, send, type TestRun } from "./TestRun.ts"
import type { Target } from "./targets/Target.ts"

/**
 * `killed` ends their server under way. `repeat` sends one of the
 * calls with an `Idempotency-Key` again. `follow` asks for the page of a cursor, also
 * for that of another list or as another organisation.
 */
export type Step =
  | CallTemplate
  | Administration
  | ProviderLogin
  | { readonly concurrent: ReadonlyArray<CallTemplate>; readonly killed?: true }
  | { readonly repeat: number }
  | {
      readonly follow: number
      readonly limit: string
      readonly otherList: boolean
      readonly otherOrganisation?: boolean
    }

/** Calls of the console that change what keys may do. */
const changesAccess = ({ operation }: Call, { status }: Answer): boolean =>
  status < 300 &&
  ["updateUser", "deleteUser", "rotateApiKey", "deleteApiKey", "finishProviderLogin"].includes(operation)

const runCall = async (testRun: TestRun, { answered, call, twin }: Resolved): Promise<void> => {
  if ("idempotency-key" in call.headers) testRun.repeatable.push(call)
  const server = testRun.requests % testRun.target.servers
  const answer = await send(testRun, call, server)
  await answered?.(answer)
  const faults: Array<string> = []
  const leak = leakIn(firstOf(testRun), call, answer)
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
  if (twin === undefined || !isRepeatable || "idempotency-key" in call.headers) return
  const twinAnswer = await send(testRun, twin)
  const differs = differenceOfTwins(call, answer, twin, twinAnswer)
  if (differs !== undefined) throw new Mismatch(`${differs}\n${describe(call, answer)}`)
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
    const faults = testRun.models.map((model) => judge(structuredClone(model), call, answer))
    if (faults.includes(undefined)) return testRun.target.revoked?.(performance.now() - start)
    const [fault] = faults
    if (isLate) throw new Mismatch(`${fault}\n${describe(call, answer)}`)
    await sleep(20)
  }
}

/**
 * Asks every server with every key, after a change of keys or organisations. The one that made the
 * change knows it at once.
 */
const probeKeys = async (testRun: TestRun, changedBy?: number): Promise<void> => {
  const { revocationMillis, servers } = testRun.target
  const all = Array.from({ length: servers }, (_, server) => server).sort((server) => (server === changedBy ? -1 : 0))
  for (const server of all) {
    for (const { secret } of firstOf(testRun).organisations.flatMap(({ keys }) => keys)) {
      await probe(testRun, secret, server, server === changedBy ? 0 : revocationMillis())
    }
  }
}

const follow = async (testRun: TestRun, step: Extract<Step, { readonly follow: number }>): Promise<void> => {
  const { cursors, organisations: all } = firstOf(testRun)
  const [cursor, place] = [...cursors][step.follow % Math.max(1, cursors.size)] ?? []
  const owner = all.find(({ id }) => id === place?.organisation)
  if (cursor === undefined || place === undefined || owner === undefined) return
  const { conditions, ids, operation } = place
  const caller = step.otherOrganisation ? all.find((one) => one !== owner && one.status !== "deleted") : owner
  const more = step.otherList && operation === "listSites" ? [["q", "another"] as const] : []
  const call: Call = {
    ...{ operation, ids, body: undefined, headers: {}, secret: caller?.keys[0]?.secret ?? null },
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
  const isServed = ({ call }: CallTemplate) => !isOfConsole(call) || testRun.target.createUser !== undefined
  if ("concurrent" in step) {
    await runConcurrently(testRun, step.concurrent.filter(isServed), step.killed === true)
    return step.concurrent.some(({ call }) => isOfConsole(call)) ? probeKeys(testRun) : undefined
  }
  if ("does" in step && step.does === "logInByProvider") {
    for await (const resolved of providerCalls(testRun, step)) await runCall(testRun, resolved)
    return
  }
  if ("does" in step) {
    await administer(testRun, step)
    return accessChanges.includes(step.does) ? probeKeys(testRun) : undefined
  }
  if ("follow" in step) return follow(testRun, step)
  if (!("repeat" in step)) {
    if (!isServed(step)) return
    return runCall(testRun, resolve(firstOf(testRun), step, nextRequestId(testRun)))
  }
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

/** Of the oldest user. */
const logIn = (organisation: number): CallTemplate => ({
  call: "logIn",
  who: { ...who(organisation), odd: "none" },
  ids: [],
  body: { email: { "@email": 0, of: "own" }, password: { "@password": "right" }, code: { "@code": 0 } }
})

const people: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation) => [
  logIn(organisation),
  ...(
    [
      ...(["listUsers", "listInvitations", "listApiKeys", "listSessions", "getAccount", "getSecondFactor"] as const),
      ...(["getOrganisation", "getOrganisationUse", "getOrganisationOverview"] as const)
    ] as const
  ).map((call) => ({
    call,
    who: { ...who(organisation), session: -1 },
    ids: []
  }))
])

const file = { filename: { "@text": "first" }, mimeType: "application/pdf", documentType: "insurance" }

/** Something to work with in each organisation. */
const beginnings: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation): ReadonlyArray<CallTemplate> => {
  const portfolioId = { "@id": "portfolios", of: "own", n: 0 }
  const site = { siteName: { "@text": "First" }, capacity: 1, unit: "MW", portfolioId }
  return [
    logIn(organisation),
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

/** Longer than until the first attempt of a delivery, which receivers accept; codes are new again. */
const delivered: Step = { does: "advance", by: 71_000 }

/** Runs all steps, and compares all lists in the end. Rejects with a `Mismatch`. */
export const runSteps = async (target: Target, steps: ReadonlyArray<Step>): Promise<number> => {
  const models = [emptyModel(target.mails !== undefined)]
  const testRun: TestRun = { target, models, requests: 1_000, repeatable: [], mails: new Set() }
  for (const _ of organisations) await administer(testRun, { does: "createOrganisation" })
  const activate = organisations.map((organisation) => ({ does: "setStatus", organisation, status: "active" }) as const)
  const second: ReadonlyArray<Step> = [
    { does: "createUser", organisation: 0, role: "owner" },
    { ...logIn(0), body: { email: { "@email": 1, of: "own" }, password: { "@password": "right" } } }
  ]
  const files = organisations.map((organisation) => ({ does: "put", organisation, n: 0, how: "right" }) as const)
  for (const step of [...beginnings, ...second, ...files, ...steps, ...activate, delivered, ...people, ...everything]) {
    for (const model of testRun.models) model.now = target.now()
    await runStep(testRun, step)
    await collectMails(testRun)
  }
  judgeDeliveries(testRun)
  judgeMails(testRun)
  return testRun.requests - 1_000
}
