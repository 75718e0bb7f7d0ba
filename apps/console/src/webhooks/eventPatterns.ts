/**
 * The events that a webhook can get: all, all of a kind, or single types.
 */
import type { CreateWebhook } from "@solar-sites/http-node/client"
import { eventTypes } from "../activity/phrases.ts"
import { webhookTexts as texts } from "../texts/en/webhooks.ts"

type Pattern = CreateWebhook["events"][number]

const kinds = [...new Set(eventTypes.map((type) => type.slice(0, type.indexOf("."))))]

const everyEvent = { value: "*", label: texts.everyEvent }

const groups = kinds.map((kind) => ({
  group: kind,
  items: [
    { value: `${kind}.*`, label: `${kind}.*` },
    ...eventTypes.filter((type) => type.startsWith(`${kind}.`)).map((type) => ({ value: type, label: type }))
  ]
}))

/** For a field that offers them by kind. */
export const patternOptions = [everyEvent, ...groups]

const patterns: ReadonlySet<string> = new Set(
  [everyEvent, ...groups.flatMap(({ items }) => items)].map(({ value }) => value)
)

const covers = (pattern: string, type: string): boolean =>
  pattern !== type && (pattern === "*" || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1))))

/**
 * The chosen patterns without those that the latest one covers, or that cover it: the latest choice
 * counts.
 */
export const withLatest = (chosen: ReadonlyArray<string>): ReadonlyArray<string> => {
  const latest = chosen.at(-1)
  if (latest === undefined) return chosen
  return chosen.filter((pattern) => !covers(latest, pattern) && !covers(pattern, latest))
}

export const isPattern = (text: string): text is Pattern => patterns.has(text)
