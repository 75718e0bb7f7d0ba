/**
 * One run: an organisation with resources of each kind, and requests that are judged one by one.
 */
import { uploadsOf } from "../../../packages/http-node/test/Setup.ts"
import type { Contract } from "./Contract.ts"
import { faultsOfAnswer, type Sent } from "./Judge.ts"
import { cursorPlaceholder, type Kind, placeholder, placeholdersOf, resolved } from "./Placeholders.ts"
import type { Generated } from "./Requests.ts"
import { faultsOfStored } from "./Stored.ts"
import { type Ask, asking, type Target } from "./Target.ts"

/** Counts requests by operation and status. */
export type Tally = Map<string, Map<number, number>>

// Nothing listens there; deliveries fail in the background.
const receiver = "https://127.0.0.1:9/solar"

interface Preparing {
  readonly target: Target
  readonly ask: Ask
  readonly name: (kind: Kind, ids: ReadonlyArray<string>) => void
}

const prepareDocuments = async ({ ask, name, target }: Preparing, siteId: string): Promise<void> => {
  const { results } = await ask("POST /api/docs/bulk-upload-url", uploadsOf(siteId, "a.txt", "b.txt", "c.txt"))
  name("document", idsOf(results, "documentId"))
  const [first] = results
  await target.upload(first.uploadUrl, "text")
  await ask(`PUT /api/docs/${first.documentId}`, { status: "uploaded" })
}

const prepareWebhook = async ({ ask, name }: Preparing): Promise<void> => {
  const webhook = await ask("POST /api/webhooks", { url: receiver, events: ["*"] })
  name("webhook", [webhook.id])
  const delivery = await ask(`POST /api/webhooks/${webhook.id}/test`)
  name("delivery", [delivery.id])
}

const idsOf = (resources: ReadonlyArray<Readonly<Record<string, string>>>, member = "id"): ReadonlyArray<string> =>
  resources.map((resource) => resource[member] ?? "")

/** Creates the resources that the requests name. The first site is in the first portfolio. */
export const prepare = async (
  target: Target,
  key: string,
  requests: ReadonlyArray<Generated>
): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  const named = JSON.stringify(requests).toLowerCase()
  const needs = (kind: Kind) => placeholdersOf(kind).some((id) => named.includes(id))
  const ask = asking(target, key)
  const name: Preparing["name"] = (kind, all) => {
    for (const [index, id] of all.entries()) ids.set(placeholder(kind, index), id)
  }
  const preparing = { target, ask, name }
  if (needs("site") || needs("document") || needs("portfolio")) {
    const named = placeholdersOf("portfolio").map((name) => ({ name }))
    const portfolios = await ask("POST /api/portfolios", named)
    name("portfolio", idsOf(portfolios.data))
    const site = { siteName: "Long Meadow", capacity: 1, unit: "kW" }
    const first = await ask("POST /api/sites", { ...site, portfolioId: portfolios.data[0].id })
    name("site", [first.id, (await ask("POST /api/sites", site)).id, (await ask("POST /api/sites", site)).id])
    if (needs("document")) await prepareDocuments(preparing, first.id)
  }
  if (needs("webhook") || needs("delivery")) await prepareWebhook(preparing)
  if (needs("foreign")) {
    const askOther = asking(target, await target.join())
    const foreign = await askOther("POST /api/sites", { siteName: "Foreign", capacity: 1, unit: "kW" })
    const others = await askOther("POST /api/portfolios", [{ name: "Foreign" }, { name: "Foreign too" }])
    name("foreign", [foreign.id, ...idsOf(others.data)])
  }
  return ids
}

export const countIn = (tally: Tally, line: string, status: number): void => {
  const counts = tally.get(line) ?? new Map<number, number>()
  tally.set(line, counts.set(status, (counts.get(status) ?? 0) + 1))
}

export const resolveAll = (request: Generated, ids: ReadonlyMap<string, string>): Sent => ({
  ...request,
  path: resolved(request.path, ids),
  query: resolved(request.query, ids),
  body: typeof request.body === "string" ? resolved(request.body, ids) : request.body
})

const keysOf = (own: string): Readonly<Record<Sent["key"], Readonly<Record<string, string>>>> => ({
  own: { "x-api-key": own },
  none: {},
  wrong: { "x-api-key": `${own.slice(0, -1)}${own.endsWith("A") ? "B" : "A"}` },
  two: { "x-api-key": `${own}, ${own}` }
})

export const shown = ({ body, headers, line, method, path, query }: Sent): string => {
  const text = typeof body === "string" ? body : body === undefined ? "" : Buffer.from(body).toString("latin1")
  return `${line === "" ? "" : `(${line}) `}${method} ${path}${query === "" ? "" : `?${query}`} ${JSON.stringify(headers)} ${text.slice(0, 4_000)}`
}

/** Sends the requests to a new organisation. Throws at the first answer that is wrong. */
export const runRequests = async (
  target: Target,
  contract: Contract,
  tally: Tally,
  requests: ReadonlyArray<Generated>
): Promise<void> => {
  const key = await target.join()
  const ask = asking(target, key)
  const ids = await prepare(target, key, requests)
  const keys = keysOf(key)
  for (const request of requests) {
    const sent = resolveAll(request, ids)
    const isWrite = sent.method === "POST" || sent.method === "PUT"
    const before = isWrite && sent.line !== "" ? await storedBefore(target, keys.own, sent) : undefined
    const answer = await target.send({ ...sent, headers: { ...sent.headers, ...keys[sent.key] } })
    countIn(tally, sent.line === "" ? "odd paths and methods" : sent.line, answer.status)
    const faults = faultsOfAnswer(contract, sent, answer)
    const unequal = faults.length > 0 || !isWrite ? [] : await faultsOfStored(sent, answer, before, ask)
    if (faults.length + unequal.length > 0) {
      throw new Error(
        `${[...faults, ...unequal].join("\n")}\n  ${shown(sent)}\n  ${answer.status} ${answer.text.slice(0, 4_000)}`
      )
    }
    const [, cursor] = /"nextCursor":"([^"]+)"\}$/.exec(answer.text) ?? []
    if (cursor !== undefined) ids.set(cursorPlaceholder, cursor)
  }
}

/** The resource that a PUT is about to change. */
const storedBefore = async (
  target: Target,
  headers: Readonly<Record<string, string>>,
  sent: Sent
): Promise<unknown> => {
  if (sent.method !== "PUT" || sent.path.includes("%")) return undefined
  const { status, text } = await target.send({ method: "GET", path: sent.path, headers })
  return status === 200 ? JSON.parse(text) : undefined
}
