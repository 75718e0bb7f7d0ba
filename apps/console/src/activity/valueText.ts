/**
 * Values of changed fields as text.
 */
import type { Event } from "@solar-sites/http-node/client"
import { sessionTexts } from "../texts/en/account.ts"
import { activityTexts as texts } from "../texts/en/activity.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { roleTexts } from "../texts/en/roles.ts"
import { formatBytes, formatDay, formatInstant, formatNumber } from "../texts/formats.ts"
import type { EventNames } from "./eventNames.ts"
import { fieldOf } from "./phrases.ts"

type Value = Event["changes"][string]["from"]

const roles = Object.fromEntries(Object.entries(roleTexts).map(([role, { name }]) => [role, name]))

/** By member and value. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: documentTexts.states,
  type: documentTexts.purposes,
  documentType: documentTexts.documentTypes,
  method: sessionTexts.methods,
  reason: texts.loginFailures,
  role: roles
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

const isObject = (value: Value): boolean => typeof value === "object" && value !== null && !Array.isArray(value)

/** Lists of objects and the members of one object have a line each. */
export const valueText = (member: string, value: Value, portfolioOf: EventNames["portfolioOf"]): string => {
  if (value === null) return texts.noValue
  if (typeof value === "boolean") return value ? texts.yes : texts.no
  if (typeof value === "number") return member === "sizeBytes" ? formatBytes(value) : formatNumber(value)
  if (typeof value === "string") {
    if (member === "portfolioId" || member === "portfolioIds") return portfolioOf(value)
    if (isDay(value)) return formatDay(value)
    return words[member]?.[value] ?? (isInstant(value) ? formatInstant(value) : value)
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => valueText(member, item, portfolioOf))
    return value.some(isObject) ? items.map((item) => item.replaceAll("\n", ", ")).join("\n") : items.join(", ")
  }
  const lines = Object.entries(value).flatMap(([name, item]) =>
    item === null ? [] : `${fieldOf(name)}: ${valueText(name, item, portfolioOf)}`
  )
  return lines.join("\n")
}
