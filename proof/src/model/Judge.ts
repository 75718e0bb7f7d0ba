/**
 * The checks before an operation (specification, sections 6, 7 and 13), and the comparison of an
 * answer with the model.
 */
import { isDeepStrictEqual } from "node:util"
import { type Answer, type Call, type Expected, lacks, type Rule, refused, type Turn } from "./Call.ts"
import { difference } from "./Match.ts"
import { isRecord } from "./Members.ts"
import { between, type Instant, type ModelState } from "./ModelState.ts"
import { operations } from "./operations.ts"
import { bulkSites } from "./rules/Bulk.ts"
import { documentRules } from "./rules/Documents.ts"
import { replayed } from "./rules/DocumentUploads.ts"
import { eventRules } from "./rules/Events.ts"
import { keyRules } from "./rules/Keys.ts"
import { portfolioRules } from "./rules/Portfolios.ts"
import { requirementRules } from "./rules/Requirements.ts"
import { siteRules } from "./rules/Sites.ts"
import { webhookRules } from "./rules/Webhooks.ts"

const rules: Readonly<Record<string, Rule>> = {
  ...siteRules,
  ...portfolioRules,
  ...documentRules,
  ...eventRules,
  ...requirementRules,
  ...webhookRules,
  bulkSites,
  ...keyRules
}

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
  return organisation === undefined ? rule(turn) : rule({ ...turn, model, organisation })
}

const withKept = (turn: Turn, answer: Answer, rule: Rule): Expected => {
  const { call, organisation } = turn
  const { "idempotency-key": given } = call.headers
  const isPost = operations[call.operation].method === "POST"
  if (given === undefined || !isPost) return rule(turn)
  const request = JSON.stringify([call.operation, call.ids, call.query, call.body])
  const kept = organisation.idempotency.get(given)
  if (kept !== undefined && answer.from < kept.until) {
    if (kept.request === request) {
      const hasAddresses = call.operation === "issueUploadUrls" || call.operation === "reissueUploadUrl"
      if (!hasAddresses) return { status: kept.status, text: kept.body }
      return { status: kept.status, body: replayed(turn, JSON.parse(kept.body)) }
    }
    // Faults of the request itself, and missing resources, come first.
    const refusal = inCopy(turn, rule)
    const isEarlier = refusal.ofState !== true && (refusal.status === 400 || refusal.status === 404)
    return isEarlier ? refusal : refused(409, "idempotency_key_reused")
  }
  const expected = rule(turn)
  if (expected.status < 300) {
    const until = answer.to + answersKept
    organisation.idempotency.set(given, { request, status: answer.status, body: answer.text, until })
  }
  return expected
}

const expectedOf = (model: ModelState, call: Call, answer: Answer): Expected => {
  if (call.secret === null) return refused(401, "api_key_missing")
  for (const organisation of model.organisations) {
    const key = organisation.keys.find(({ secret }) => secret === call.secret)
    if (key === undefined || key.deleted) continue
    if (isExpired(key.expiresAt, answer)) return refused(401, "api_key_expired")
    if (organisation.status !== "active") return refused(403, "organisation_inactive")
    const turn: Turn = { model, organisation, key, call, at: between(answer.from, answer.to) }
    const rule = rules[call.operation]
    if (rule === undefined) throw new Error(`no rule for ${call.operation}`)
    return lacks(turn, operations[call.operation].scopes) ?? withKept(turn, answer, rule)
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

/** Applies a call to the model; the first difference between its answer and the model. */
export const judge = (model: ModelState, call: Call, answer: Answer): string | undefined => {
  const expected = expectedOf(model, call, answer)
  if (answer.status !== expected.status)
    return `expected status ${expected.status} ${expected.code ?? ""}, found ${answer.status}`
  const headers = { ...headersEverywhere, "x-request-id": call.requestId, ...expected.headers }
  for (const [name, value] of Object.entries(headers)) {
    if (answer.headers.get(name) !== value)
      return `header ${name}: expected ${value}, found ${answer.headers.get(name)}`
  }
  if (expected.status === 401 && answer.headers.get("www-authenticate") !== 'ApiKey realm="api", header="x-api-key"') {
    return "expected the header www-authenticate"
  }
  if (expected.code !== undefined) return problemDifference(expected, answer, call)
  if (expected.text !== undefined)
    return expected.text === answer.text ? undefined : "expected the bytes of the first answer"
  return difference(expected.body, answer.body)
}
