/**
 * Sends the calls of steps to a target, and judges each answer by the model.
 */
import { apiScopes } from "@solar-sites/core"
import { administer } from "./Administer.ts"
import type { Call } from "./Call.ts"
import { type CallTemplate, resolve } from "./CallTemplate.ts"
import { runConcurrently } from "./Concurrency.ts"
import { judgeDeliveries } from "./Deliveries.ts"
import { runImport, settleImport } from "./Imports.ts"
import { collectMails, judgeMails } from "./Mails.ts"
import { emptyModel } from "./ModelState.ts"
import { isOfConsole, isOpen, type OperationName, operations } from "./operations.ts"
import { type ProviderLogin, providerCalls } from "./ProviderLogin.ts"
import { probeKeys, runCall } from "./RunCall.ts"
import type { Administration } from "./steps/Administration.ts"
import { logInOf } from "./steps/People.ts"
import { firstOf, nextRequestId, type TestRun } from "./TestRun.ts"
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
      readonly isLimited?: boolean
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
    ...{ operation, ids, body: undefined, headers: {} },
    secret: caller?.keys[step.isLimited ? limitedKey : 0]?.secret ?? null,
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
    const calls = await runConcurrently(testRun, step.concurrent.filter(isServed), step.killed === true)
    for (const call of calls) if (call.operation === "startImport") await settleImport(testRun, call)
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
    const resolved = resolve(firstOf(testRun), step, nextRequestId(testRun))
    if (step.call === "startImport") return runImport(testRun, resolved, step.stop === true)
    await runCall(testRun, resolved)
    return
  }
  const call = testRun.repeatable[step.repeat % Math.max(1, testRun.repeatable.length)]
  if (call !== undefined) await runCall(testRun, { call: { ...call, requestId: nextRequestId(testRun) } })
}

const organisations = [0, 1, 2]

const years = 3_650 * 86_400_000

const limitedKey = 2

const who = (organisation: number, key = 0) => ({ organisation, key })

/** What an organisation answers without an id: lists, settings and totals. */
const readings = (Object.keys(operations) as ReadonlyArray<OperationName>).filter((name) => {
  const { method, path } = operations[name]
  return method === "GET" && !path.includes("{") && !isOpen(name)
})

/** These of every organisation. */
const everything: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation) =>
  readings.filter((call) => !isOfConsole(call)).map((call) => ({ call, who: who(organisation), ids: [] }))
)

/** The same within the limits of keys. */
const limited = everything.map((one): CallTemplate => ({ ...one, who: { ...one.who, key: limitedKey } }))

/** The login of the oldest user. */
const logIn = (organisation: number) => logInOf(organisation, 0, { "@code": 0 })

const people: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation) => [
  logIn(organisation),
  ...readings.filter(isOfConsole).map((call) => ({ call, who: { ...who(organisation), session: -1 }, ids: [] }))
])

const file = { filename: { "@text": "first" }, mimeType: "application/pdf", documentType: "insurance" }

const named = (name: string) => ({ name: { "@text": name } })

const beginnings: ReadonlyArray<CallTemplate> = organisations.flatMap((organisation): ReadonlyArray<CallTemplate> => {
  const call = (name: OperationName, body: unknown) => ({ call: name, who: who(organisation), ids: [], body })
  const portfolioId = { "@id": "portfolios", of: "own", n: 0 }
  const site = { siteName: { "@text": "First" }, capacity: 1, unit: "MW", portfolioId }
  const upload = (n: number, files: ReadonlyArray<typeof file>) =>
    call("issueUploadUrls", { siteId: { "@id": "sites", of: "own", n }, fileType: "documents", files })
  return [
    logIn(organisation),
    call("createPortfolios", ["First", "Other"].map(named)),
    call("createSite", site),
    call("createSite", { siteName: "Second", capacity: 2, unit: "kW" }),
    call("createSite", { ...site, portfolioId: { ...portfolioId, n: 1 } }),
    upload(0, [file, file]),
    upload(2, [file])
  ]
})

/** The third key of each organisation, which is limited to the first portfolio. */
const limitedKeys = organisations.map(
  (organisation): Step => ({ does: "createKey", organisation, scopes: apiScopes, portfolios: [0], life: years })
)

/** Longer than until the first attempt of a delivery, which receivers accept; codes are new again. */
const delivered: Step = { does: "advance", by: 71_000 }

/** Runs all steps, and compares all lists in the end. Rejects with a `Mismatch`. */
export const runSteps = async (target: Target, steps: ReadonlyArray<Step>): Promise<number> => {
  const models = [emptyModel(target.mails !== undefined)]
  const testRun: TestRun = { target, models, requests: 1_000, repeatable: [], mails: new Set() }
  for (const _ of organisations) await administer(testRun, { does: "createOrganisation" })
  const activate = organisations.map((organisation) => ({ does: "setStatus", organisation, status: "active" }) as const)
  const second: ReadonlyArray<Step> = [{ does: "createUser", organisation: 0, role: "owner" }, logInOf(0, 1)]
  const files = organisations.map((organisation) => ({ does: "put", organisation, n: 0, how: "right" }) as const)
  const prepared = [...beginnings, ...second, ...files, ...limitedKeys]
  for (const step of [...prepared, ...steps, ...activate, delivered, ...people, ...everything, ...limited]) {
    for (const model of testRun.models) model.now = target.now()
    await runStep(testRun, step)
    await collectMails(testRun)
  }
  judgeDeliveries(testRun)
  judgeMails(testRun)
  return testRun.requests - 1_000
}
