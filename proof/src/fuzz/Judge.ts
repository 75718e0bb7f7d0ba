/**
 * What a request must be answered with: by the document, by rules that a schema cannot say, and by
 * the order of checks.
 */
import type { Contract, Operation } from "./Contract.ts"
import { accepted, contentTypes, type Generated } from "./Requests.ts"

/** A request after its placeholders are replaced. */
export type Sent = Generated

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Rules of values that fit their schemas. A fault has this code, at a pointer of this form.
 */
const rules: ReadonlyArray<readonly [code: string, pointer: RegExp, why: string]> = [
  ["invalid_cursor", /^\/cursor$/, "a cursor is opaque, and belongs to one list"],
  ["duplicate", /^\/(?:sites|requirements|portfolios|tags|\d+)(?:\/|$)/, "members of several items differ"],
  ["out_of_range", /\/valid(?:From|Until)$/, "a validity begins before it ends"],
  ["invalid_url", /\/(?:coverImageUrl|url)$/, "a pattern cannot say all that makes an address valid"],
  ["address_not_allowed", /^\/url$/, "the network of a receiver is judged"],
  ["invalid_filename", /^\/filename$/, "the length of a filename is in bytes"],
  ["exactly_one", /^$/, "sites are named in the body or in the query"],
  ["required", /^\/sites\/\d+\/\w+$/, "in mode upsert, a new site needs the members of a new site"]
]

type Verdict =
  /** Refused with one of these. */
  | { readonly refused: ReadonlyArray<number>; readonly because: string }
  /** Not refused as input. `absent`: the path names no resource. */
  | { readonly valid: true; readonly absent?: true }
  /** Either, since text is normalised before it is measured. */
  | { readonly open: true }

const isControl = /\p{Cc}/u
const trimmed = (text: string): string => {
  const inner = text.trim()
  // White space that is a control character is refused before texts are trimmed.
  return isControl.test(text.replace(inner, "")) ? text : inner
}

/** All texts of a value in the form in which they are stored. */
export const normalised = (value: unknown): unknown => {
  if (typeof value === "string") return trimmed(value.replaceAll("\r\n", "\n")).normalize("NFC").trim()
  if (Array.isArray(value)) return value.map(normalised)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [trimmed(name).normalize("NFC"), normalised(member)])
  )
}

type Parsed = { readonly value: unknown } | "malformed"

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

export const parsed = (body: NonNullable<Sent["body"]>): Parsed => {
  try {
    const text = typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body)
    if (/^[\s\S]?\[{40}/.test(text)) return "malformed"
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""))
    return depthOf(value) > 32 ? "malformed" : { value }
  } catch {
    return "malformed"
  }
}

/** Specification, sections 8 and 14. */
const maximumBodyOf = (line: string): number => (line === "POST /api/sites/bulk" ? 8_388_608 : 1_048_576)

const bytesOf = (body: NonNullable<Sent["body"]>): number =>
  typeof body === "string" ? Buffer.byteLength(body) : body.length

/** Faults of query and headers by the document; texts are read as the types of their schemas. */
const faultsOfParameters = (
  { faultsOfParameter, parameters }: Operation,
  sent: Sent,
  form: (value: unknown) => unknown
) => {
  const query = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(sent.query)) query.set(name, [...(query.get(name) ?? []), value])
  const faults: Array<string> = []
  for (const [index, { in: place, name, schema }] of parameters.entries()) {
    const texts =
      place === "query"
        ? query.get(name)
        : place === "header" && sent.headers[name] !== undefined
          ? [sent.headers[name]]
          : undefined
    if (place === "query") query.delete(name)
    if (texts === undefined) continue
    const isWhole = schema.type === "integer" && texts.every((text) => /^(?:0|-?[1-9]\d*)$/.test(text))
    const values = isWhole ? texts.map(Number) : texts
    const value = schema.type === "array" ? values : values.length === 1 ? values[0] : values
    faults.push(...faultsOfParameter(index, form(value)).map((fault) => `${name}: ${fault}`))
  }
  return [...faults, ...[...query.keys()].map((name) => `unknown parameter ${name}`)]
}

const same = (value: unknown): unknown => value

/** All faults by the document of the request as it is, or of its normal form. */
const faultsOf = (operation: Operation, sent: Sent, body: Parsed | undefined, form = same): ReadonlyArray<string> => [
  ...faultsOfParameters(operation, sent, form),
  ...(body === undefined || body === "malformed" ? [] : operation.faultsOfBody(form(body.value)))
]

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const verdictOf = ({ byLine }: Contract, sent: Sent): Verdict => {
  const operation = byLine.get(sent.line)
  if (operation === undefined || !operation.needsKey || sent.path.includes("%")) return { open: true }
  if (sent.key !== "own") return { refused: [401], because: "the key" }
  const { accept, "content-encoding": coding = "identity", "content-type": type = "" } = sent.headers
  const { requestBody } = operation
  if (operation.hasCsv && accept !== undefined && accepted[accept] === false)
    return { refused: [406], because: "Accept" }
  const body = requestBody === undefined || sent.body === undefined ? undefined : parsed(sent.body)
  if (requestBody !== undefined && sent.body !== undefined) {
    if (requestBody.required === false && sent.body.length === 0) return { open: true }
    if (contentTypes[type] !== true || coding !== "identity") return { refused: [415], because: "the media type" }
    if (bytesOf(sent.body) > maximumBodyOf(sent.line)) return { refused: [413], because: "the size" }
    if (body === "malformed") return { refused: [400], because: "the JSON" }
  }
  const faults = faultsOf(operation, sent, body)
  const missing = requestBody?.required === true && sent.body === undefined
  if (missing) return { refused: [400, 415], because: "no body" }
  const inNormalForm = faultsOf(operation, sent, body, normalised)
  const inBoth = faults.filter((fault) => inNormalForm.includes(fault))
  if (inBoth.length > 0) return { refused: [400], because: inBoth.join("; ") }
  if (faults.length > 0 || inNormalForm.length > 0) return { open: true }
  const ids = sent.path.split("/").filter((_, index) => operation.path.split("/")[index]?.startsWith("{"))
  return ids.every((id) => isUuid.test(id)) ? { valid: true } : { valid: true, absent: true }
}

const refusals = new Set([400, 401, 403, 405, 406, 413, 415])

interface Fault {
  readonly code: string
  readonly pointer: string
}

const faultsIn = (text: string): ReadonlyArray<Fault> => JSON.parse(text).errors ?? []

/** Whether all faults are of rules. */
const isByRule = (text: string): boolean => {
  const faults = faultsIn(text)
  return (
    faults.length > 0 &&
    faults.every(({ code, pointer }) => rules.some(([name, place]) => name === code && place.test(pointer)))
  )
}

/** Faults of an answer; none when it is as it must be. */
export const faultsOfAnswer = (contract: Contract, sent: Sent, answer: Answer): ReadonlyArray<string> => {
  const { status, text } = answer
  if (status >= 500) return [`status ${status}: ${text}`]
  const { pathname } = new URL(`http://localhost${sent.path}`)
  const undocumented = contract.undocumented(sent.method, pathname, answer)
  if (undocumented.length > 0) return undocumented.map((fault) => `undocumented: ${fault}`)
  const verdict = verdictOf(contract, sent)
  if ("refused" in verdict) {
    return verdict.refused.includes(status) ? [] : [`status ${status} although invalid: ${verdict.because}`]
  }
  if ("open" in verdict) return []
  if (status === 400 && isByRule(text)) return []
  if (verdict.absent && status !== 404) return [`status ${status} although the path names no resource`]
  return refusals.has(status) ? [`status ${status} although valid: ${text}`] : []
}
