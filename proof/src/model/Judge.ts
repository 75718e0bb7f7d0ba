/**
 * The checks before an operation (specification, sections 6, 7 and 13), and the comparison of an
 * answer with the model.
 */
import { isDeepStrictEqual } from "node:util"
import { type Answer, type Call, type Caller, type Expected, lacks, type Rule, refused, type Turn } from "./Call.ts"
import { hasCsv, jsonOfCsv } from "./Csv.ts"
import { between, difference, Hole, type Instant, isRecord } from "./Match.ts"
import type { ModelState } from "./ModelState.ts"
import { isOfConsole, isOpen, operations } from "./operations.ts"
import { refusalOfLimited, within } from "./Reach.ts"
import { accountRules, openAccountRules } from "./rules/Account.ts"
import { documentRules } from "./rules/Documents.ts"
import { replayed } from "./rules/DocumentUploads.ts"
import { eventRules } from "./rules/Events.ts"
import { importRules } from "./rules/Imports.ts"
import { invitationRules, openInvitationRules } from "./rules/Invitations.ts"
import { keyRules } from "./rules/Keys.ts"
import { organisationRules } from "./rules/OrganisationPages.ts"
import { portfolioRules } from "./rules/Portfolios.ts"
import { providerLoginRules } from "./rules/ProviderLogins.ts"
import { requirementRules } from "./rules/Requirements.ts"
import { scopesOfKey } from "./rules/Roles.ts"
import { secondFactorRules, setUpOperations } from "./rules/SecondFactors.ts"
import { callerOf, mustSetUpSecondFactor, openSessionRules, sessionMissing, sessionRules } from "./rules/Sessions.ts"
import { refusalOfMoves, siteRules } from "./rules/Sites.ts"
import { userRules } from "./rules/Users.ts"
import { webhookRules } from "./rules/Webhooks.ts"

const rules: Readonly<Record<string, Rule>> = {
  ...siteRules,
  ...portfolioRules,
  ...documentRules,
  ...eventRules,
  ...requirementRules,
  ...webhookRules,
  ...keyRules,
  ...userRules,
  ...sessionRules,
  ...invitationRules,
  ...organisationRules,
  ...accountRules,
  ...importRules,
  ...secondFactorRules
}

const openRules = { ...openSessionRules, ...openInvitationRules, ...openAccountRules, ...providerLoginRules }

const answersKept = 24 * 3_600_000

/** True, false, or the answer decides when the end of the key lies within the time of the call. */
const isExpired = ({ "@from": from, "@to": to }: Instant, answer: Answer): boolean => {
  if (answer.from >= to) return true
  if (answer.to < from) return false
  return answer.status === 401
}

/** The answer without an effect. */
const inCopy = (turn: Turn, rule: Rule): Expected => {
  const model = structuredClone(turn.model)
  const organisation = model.organisations.find(({ id }) => id === turn.organisation.id)
  if (organisation === undefined) return rule(turn)
  return rule({ ...turn, model, whole: organisation, organisation: within(organisation, turn.caller.limit) })
}

const withKept = (turn: Turn, answer: Answer, rule: Rule): Expected => {
  const { call, caller, organisation } = turn
  const { "idempotency-key": header } = call.headers
  const isKept = operations[call.operation].method === "POST" && !isOfConsole(call.operation)
  if (header === undefined || !isKept) return rule(turn)
  // A key of another caller is another key.
  const given = JSON.stringify([caller.key === null ? { user: caller.userId } : { key: caller.key.id }, header])
  const request = JSON.stringify([call.operation, call.ids, call.query, call.body])
  const kept = organisation.idempotency.get(given)
  if (kept !== undefined && answer.from < kept.until) {
    if (kept.request === request) {
      const lacking = refusalOfMoves(turn)
      if (lacking !== undefined) return lacking
      const hasAddresses = call.operation === "issueUploadUrls" || call.operation === "reissueUploadUrl"
      if (!hasAddresses) return { status: kept.status, text: kept.body }
      return { status: kept.status, body: replayed(turn, JSON.parse(kept.body)) }
    }
    // Faults of the request itself, and missing resources, come first.
    const { ofState, ...refusal } = inCopy(turn, rule)
    if (ofState !== undefined && ofState !== true) return ofState
    const isEarlier = ofState === undefined && [400, 403, 404].includes(refusal.status)
    return isEarlier ? refusal : refused(409, "idempotency_key_reused")
  }
  const expected = rule(turn)
  if (expected.status < 300) {
    const until = answer.to + answersKept
    organisation.idempotency.set(given, { request, status: answer.status, body: answer.text, until })
  }
  return expected
}

const ruleOf = ({ operation }: Call): Rule => {
  const rule = rules[operation]
  if (rule === undefined) throw new Error(`no rule for ${operation}`)
  return rule
}

/** The answer to a call of an accepted caller. */
const admitted = (turn: Turn, answer: Answer): Expected =>
  lacks(turn, operations[turn.call.operation].scopes) ??
  refusalOfLimited(turn.call.operation, turn.caller.limit) ??
  (turn.call.headers["accept"] === "image/png" ? refused(406, "not_acceptable") : undefined) ??
  withKept(turn, answer, ruleOf(turn.call))

const timesOf = ({ from, status, to }: Answer): Pick<Turn, "at" | "within" | "answered"> => ({
  at: between(from, to),
  within: between(from, to),
  answered: status
})

const expectedInConsole = (model: ModelState, call: Call, answer: Answer): Expected => {
  if (isOpen(call.operation)) return openRules[call.operation](model, call, answer)
  const found = callerOf(model, call.session ?? "", answer)
  if (found === undefined) return sessionMissing
  if (mustSetUpSecondFactor(found) && !setUpOperations.includes(call.operation)) {
    return refused(403, "second_factor_setup_required")
  }
  return admitted({ model, ...found, whole: found.organisation, call, ...timesOf(answer) }, answer)
}

const expectedOf = (model: ModelState, call: Call, answer: Answer): Expected => {
  if (call.session !== undefined) return expectedInConsole(model, call, answer)
  if (call.secret === null) return refused(401, "api_key_missing")
  for (const organisation of model.organisations) {
    const key = organisation.keys.find(({ secret }) => secret === call.secret)
    if (key === undefined || key.deleted) continue
    if (isExpired(key.expiresAt, answer)) return refused(401, "api_key_expired")
    if (organisation.status !== "active") return refused(403, "organisation_inactive")
    const limit = key.portfolioIds
    const scopes = scopesOfKey(organisation, key)
    const caller: Caller = { key, session: null, userId: key.createdBy, scopes, limit }
    const found = { whole: organisation, organisation: within(organisation, limit) }
    return admitted({ model, ...found, caller, call, ...timesOf(answer) }, answer)
  }
  return refused(401, "api_key_invalid")
}

const pointersIn = (body: unknown): ReadonlyArray<unknown> | undefined => {
  const errors = isRecord(body) ? body["errors"] : undefined
  return Array.isArray(errors)
    ? errors.map((fault: unknown) => (isRecord(fault) ? fault["pointer"] : fault)).sort()
    : undefined
}

const problemDifference = ({ code, pointers }: Expected, { body, headers }: Answer, call: Call): string | undefined => {
  if (!isRecord(body)) return "expected a problem document"
  if (headers.get("content-type") !== "application/problem+json") return "expected the type of a problem document"
  if (body["code"] !== code || body["type"] !== `urn:solar-sites:problem:${code}`) {
    return `expected the code ${code}, found ${String(body["code"])}`
  }
  if (body["requestId"] !== call.requestId) return "expected the request id in the problem"
  const found = pointersIn(body)
  const sorted = pointers?.toSorted()
  if (sorted !== undefined && !isDeepStrictEqual(sorted, found))
    return `expected the pointers ${JSON.stringify(sorted)}, found ${JSON.stringify(found)}`
  return undefined
}

const headersEverywhere = { "cache-control": "no-store", "x-content-type-options": "nosniff" }

/** Applies a call without an answer. */
export const happened = (model: ModelState, call: Call, { "@from": from, "@to": to }: Instant): void => {
  expectedOf(model, call, { status: 0, headers: new Headers(), text: "", body: undefined, from, to })
}

const isCsv = ({ headers, operation }: Call): boolean => headers["accept"] === "text/csv" && hasCsv(operation)

/** Applies a call to the model; the first difference between its answer and the model. */
export const judge = (model: ModelState, call: Call, answer: Answer): string | undefined => {
  const expected = expectedOf(model, call, answer)
  if (answer.status !== expected.status)
    return `expected status ${expected.status} ${expected.code ?? ""}, found ${answer.status}`
  const challenge = expected.status === 401 ? { "www-authenticate": 'ApiKey realm="api", header="x-api-key"' } : {}
  const headers: NonNullable<Expected["headers"]> = {
    ...headersEverywhere,
    "x-request-id": call.requestId,
    ...challenge,
    ...expected.headers
  }
  for (const [name, value] of Object.entries(headers)) {
    const found = answer.headers.get(name)
    const holds = value instanceof Hole ? value.fill(found) : found === value
    if (!holds) return `header ${name}: expected ${value instanceof Hole ? value.name : value}, found ${found}`
  }
  if (expected.code !== undefined) return problemDifference(expected, answer, call)
  if (expected.text !== undefined)
    return expected.text === answer.text ? undefined : "expected the bytes of the first answer"
  if (!isCsv(call)) return difference(expected.body, answer.body)
  const body = jsonOfCsv(call.operation, answer)
  return typeof body === "string" ? body : difference(expected.body, body)
}
