/**
 * What an answer may not show: anything of another organisation.
 */
import type { Answer, Call } from "./Call.ts"
import type { ModelState, Organisation } from "./ModelState.ts"
import { isOpen } from "./operations.ts"
import { idsOutside } from "./Reach.ts"

export const secretsOf = (own: Organisation): ReadonlyArray<string> => {
  const { documents, invitations, portfolios, sites, users, webhooks } = own
  return [
    ...[own.marker, own.id, ...own.gone, ...own.links, ...own.recoveryCodes],
    ...own.sessions.flatMap(({ id, token, userAgent }) => [token, userAgent, ...(id === null ? [] : [id])]),
    ...[...users.values()].flatMap(({ factor }) => (factor === null ? [] : [factor.secret])),
    ...[sites, portfolios, documents, webhooks, users, invitations].flatMap((records) => [...records.keys()]),
    ...own.keys.flatMap((key) => [key.id, key.secret, key.prefix])
  ]
}

const bytesOf = ({ headers, text }: Answer): string => `${[...headers].join("\n")}\n\n${text}`

/** Whether a call belongs to the organisation: by its key, session or link, or by the address of a login. */
const isOwn = ({ keys, links, sessions, users }: Organisation, { operation, secret, session }: Call, sent: string) => {
  if (keys.some((key) => key.secret === secret) || sessions.some(({ token }) => token === session)) return true
  return (
    isOpen(operation) && [...links, ...[...users.values()].map(({ email }) => email)].some((one) => sent.includes(one))
  )
}

/** What an answer shows of organisations other than that of the key; ids that were sent do not count. */
export const leakIn = (model: ModelState, call: Call, answer: Answer): string | undefined => {
  const bytes = bytesOf(answer)
  const sent = JSON.stringify([call.ids, call.query, call.body])
  for (const organisation of model.organisations) {
    if (isOwn(organisation, call, sent)) continue
    const shown = secretsOf(organisation).find((one) => bytes.includes(one) && !sent.includes(one))
    if (shown !== undefined) return `shows ${shown} of another organisation`
  }
  return undefined
}

/** What an answer to a limited key shows of its organisation outside of the limit; ids that were sent do not count. */
export const outsideIn = (model: ModelState, call: Call, answer: Answer): string | undefined => {
  // A repetition answers what it did although it is out of reach since.
  if ("idempotency-key" in call.headers) return undefined
  const sent = JSON.stringify([call.ids, call.query, call.body])
  for (const organisation of model.organisations) {
    const limit = organisation.keys.find(({ secret }) => secret === call.secret)?.portfolioIds ?? null
    const shown = idsOutside(organisation, limit).find((id) => answer.text.includes(id) && !sent.includes(id))
    if (shown !== undefined) return `shows ${shown} outside of the portfolios of its key`
  }
  return undefined
}

/** The answer without what differs by request: ids that were sent, request ids, and times. */
const comparable = ({ ids, body, query, requestId }: Call, { headers, status, text }: Answer): string => {
  const sent = JSON.stringify([ids, query, body]).match(/[0-9a-f-]{36}/g) ?? []
  const kept = [...headers].filter(([name]) => !["x-request-id", "content-length", "date"].includes(name))
  return [...new Set(sent)].reduce<string>(
    (bytes, id, index) => bytes.replaceAll(id, `id ${index}`),
    `${status}\n${kept.join("\n")}\n\n${text.replaceAll(requestId, "request id")}`
  )
}

/** The difference between answers to a foreign id and to an id of nothing. */
export const differenceOfTwins = (call: Call, answer: Answer, twin: Call, twinAnswer: Answer): string | undefined => {
  const [foreign, never] = [comparable(call, answer), comparable(twin, twinAnswer)]
  return foreign === never ? undefined : `a foreign id answers\n${foreign}\nand one that never existed\n${never}`
}
