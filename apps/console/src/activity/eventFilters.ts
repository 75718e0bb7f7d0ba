/**
 * The filters of the activity in the URL, and as conditions of the feed. Days are of the reader's
 * time zone.
 */
import { isUuid } from "../lists/isUuid.ts"
import type { EventFilter } from "./eventQueries.ts"

/** Names of parameters in the URL. */
export type FilterName = "about" | "actor" | "site" | "from" | "to"

type Group = NonNullable<EventFilter["type"]>[number]

/** Groups of event types, by their names in the URL. */
const eventGroups = {
  sites: "site.*",
  portfolios: "portfolio.*",
  documents: "document.*",
  "api-keys": "api_key.*",
  people: "user.*",
  webhooks: "webhook.*",
  requirements: "requirements.*",
  organisation: "organisation.*"
} as const satisfies Readonly<Record<string, Group>>

export type EventGroup = keyof typeof eventGroups

const isGroup = (name: string): name is EventGroup => Object.hasOwn(eventGroups, name)

/** Start of the day, or of a later one. Undefined for a text that is no day. */
const startOf = (day: string | null, daysLater = 0): string | undefined => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? []
  return year === undefined
    ? undefined
    : new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString()
}

/** Values that are not understood are left out. */
export const filterOf = (params: URLSearchParams): EventFilter => {
  const about = params.get("about") ?? ""
  const actorId = params.get("actor") ?? ""
  const siteId = params.get("site") ?? ""
  const from = startOf(params.get("from"))
  const to = startOf(params.get("to"), 1)
  return {
    ...(isGroup(about) ? { type: [eventGroups[about]] } : {}),
    ...(actorId === "" ? {} : { actorId }),
    ...(isUuid(siteId) ? { siteId } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to })
  }
}

export const queryOf = ({ type = [], ...rest }: EventFilter): string =>
  String(new URLSearchParams([...Object.entries(rest), ...type.map((pattern) => ["type", pattern]), ["order", "desc"]]))
