/**
 * One run of a key that is limited to a portfolio: each request with ids outside of the limit is answered byte for byte
 * as the same request with ids of nothing, and changes nothing.
 */
import type { Contract } from "./Contract.ts"
import type { Answer, Sent } from "./Judge.ts"
import { cursorPlaceholder, idsOfNothing } from "./Placeholders.ts"
import type { Generated } from "./Requests.ts"
import { countIn, prepare, resolveAll, shown, type Tally } from "./Run.ts"
import { type Ask, asking, type Target } from "./Target.ts"

const lists = ["sites", "portfolios", "docs", "document-requirements", "webhooks", "events"]

/** Everything that the organisation has, as text. */
const everything = async (ask: Ask): Promise<string> => {
  const answers = await Promise.all(lists.map((list) => ask(`GET /api/${list}`)))
  return JSON.stringify(answers)
}

/** Headers that differ by request. */
const volatile = /^(?:x-request-id|content-length|date|ratelimit.*)$/

interface Answered {
  readonly answer: Answer
  readonly ids: ReadonlyMap<string, string>
}

/** The answer with placeholders in place of the ids that were sent. */
const comparable = ({ answer: { headers, status, text }, ids }: Answered): string => {
  const kept = [...headers].filter(([name]) => !volatile.test(name))
  const named = [...ids].reduce(
    (all, [name, id]) => all.replaceAll(id, name).replaceAll(id.toUpperCase(), name),
    text.replaceAll(headers.get("x-request-id") ?? "no id", "the request").replace(/"lastUsedAt":("[^"]*"|null)/, "")
  )
  return `${status}\n${kept.map((header) => header.join(": ")).join("\n")}\n\n${named}`
}

/** The difference between two answers. Documentation has megabytes, which are compared as they are. */
const differenceOf = (outside: Answered, absent: Answered): ReadonlyArray<string> => {
  const isSame = outside.answer.text === absent.answer.text
  const [found, wanted] = [outside, absent].map(({ answer, ids }) =>
    comparable({ answer: isSame ? { ...answer, text: "" } : answer, ids })
  )
  if (found === wanted) return []
  return [`ids outside of the limit are answered with\n${found}\nids of nothing with\n${wanted}`]
}

const isWrite = ({ method }: Sent) => !["GET", "HEAD", "OPTIONS"].includes(method)

const faultsOf = (contract: Contract, sent: Sent, answer: Answer): ReadonlyArray<string> => {
  if (answer.status >= 500) return [`status ${answer.status}`]
  if (answer.status < 300 && isWrite(sent)) return [`status ${answer.status} of a write outside of the limit`]
  return contract.undocumented(sent.method, new URL(`http://localhost${sent.path}`).pathname, answer)
}

/** Sends the requests to a new organisation. Throws at the first answer that is wrong. */
export const runLimited = async (
  target: Target,
  contract: Contract,
  tally: Tally,
  requests: ReadonlyArray<Generated>
): Promise<void> => {
  const key = await target.join()
  const ask = asking(target, key)
  const outside = await prepare(target, key, requests)
  const [inside] = (await ask("POST /api/portfolios", [{ name: "Inside" }])).data
  await ask("POST /api/sites", { siteName: "Inside", capacity: 1, unit: "kW", portfolioId: inside.id })
  const limited = await target.limit(key, [inside.id])
  const nothing = idsOfNothing()
  const before = await everything(ask)
  for (const request of requests) {
    if (request.key !== "own") continue
    const send = async (ids: ReadonlyMap<string, string>) => {
      const sent = resolveAll(request, ids)
      const answer = await target.send({ ...sent, headers: { ...sent.headers, "x-api-key": limited } })
      return { sent, answer, ids }
    }
    const found = await send(outside)
    const { answer, sent } = found
    const absent = await send(nothing)
    countIn(tally, sent.line === "" ? "odd paths and methods" : sent.line, answer.status)
    const faults = [...faultsOf(contract, sent, answer), ...differenceOf(found, absent)]
    if (faults.length > 0) throw new Error(`${faults.join("\n")}\n  ${shown(sent)}`)
    const [, cursor] = /"nextCursor":"([^"]+)"\}$/.exec(answer.text) ?? []
    if (cursor !== undefined) for (const ids of [outside, nothing]) ids.set(cursorPlaceholder, cursor)
  }
  const after = await everything(ask)
  if (after !== before) throw new Error(`Requests with ids outside of the limit have changed\n${before}\nto\n${after}`)
}
