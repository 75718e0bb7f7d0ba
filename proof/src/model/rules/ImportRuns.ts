/**
 * Attempts of imports: their begin, their progress in lists, and what they store (decision 48).
 */
import type { Origin, Turn } from "../Call.ts"
import type { Table } from "../ImportedFile.ts"
import type { Attempt, Counts, Plan, SiteImport } from "../ImportState.ts"
import { between, difference, Hole, type Instant, isRecord, textWith } from "../Match.ts"
import type { Organisation } from "../ModelState.ts"
import { emitChange } from "../Records.ts"
import { noCounts, planOf } from "./ImportPlans.ts"
import { userOf } from "./Roles.ts"
import { changeSite, newSite, siteKind } from "./SiteRecords.ts"

const silence = 30_000
const life = 30 * 86_400_000
const listed = 10

/** Its server was killed, and it counts as interrupted. */
export const isSilent = ({ attempt, state, updatedAt }: SiteImport, at: Instant): boolean =>
  state === "running" && attempt === null && updatedAt["@to"] + silence <= at["@to"]

/** Deletes old imports, but for one. */
export const purge = ({ at, organisation: { imports } }: Turn, but: string): void => {
  for (const { id, updatedAt } of imports.values()) {
    if (id !== but && updatedAt["@to"] + life <= at["@from"]) imports.delete(id)
  }
}

const sum = (a: Counts, b: Counts): Counts => ({
  ...{ created: a.created + b.created, updated: a.updated + b.updated, unchanged: a.unchanged + b.unchanged }
})

const json = ({ counts, fileName, id, options, startedAt, userId }: SiteImport) => ({
  ...{ id, userId, fileName, ...options, ...counts, startedAt }
})

type Progress = Pick<SiteImport, "state" | "checkedRow" | "storedRow" | "counts">

/** What the record may say of an attempt under way, or after its end. */
const progressOf = ({ attempt, checkedRow, storedRow }: SiteImport): ReadonlyArray<Progress> => {
  if (attempt === null) return []
  const { after, before, isStopped, plan } = attempt
  const begun = { state: "running" as const, checkedRow, storedRow, counts: before }
  const checked = { ...begun, checkedRow: plan.lastRow }
  const stored = { ...checked, storedRow: Math.max(storedRow, plan.lastRow), counts: after }
  const isFaulty = plan.faults === null || plan.faults.length > 0
  const seen: ReadonlyArray<Progress> = isFaulty ? [begun, checked] : [begun, checked, stored]
  const end: Progress = isFaulty ? { ...checked, state: "failed" } : { ...stored, state: "completed" }
  const stopped = isStopped ? seen.map((one) => ({ ...one, state: "failed" as const })) : []
  return [end, ...seen, ...stopped]
}

const problem = textWith("")

const underWay = (turn: Turn, one: SiteImport): Hole => {
  const possible = progressOf(one)
  return new Hole(`an import as one of ${JSON.stringify(possible)}`, (found) => {
    if (!isRecord(found)) return false
    return possible.some(({ checkedRow, counts, state, storedRow }) => {
      // Two calls may run at once, and the later one may have begun earlier.
      const from = Math.min(one.attempt?.from ?? 0, turn.at["@from"])
      const updatedAt = between(from, turn.at["@to"])
      // Its server may have needed longer than the silence to begin again.
      const isLate =
        one.attempt?.isStopped === true && Date.parse(String(found["updatedAt"])) + silence <= turn.at["@to"]
      const shown = state === "running" && isLate && found["state"] === "stopped" ? "stopped" : state
      const rest = { state: shown, checkedRow, storedRow, updatedAt, problem: state === "failed" ? problem : null }
      if (difference({ ...json(one), ...counts, ...rest }, found) !== undefined) return false
      Object.assign(one, { state, checkedRow, storedRow, counts, updatedAt })
      return true
    })
  })
}

/** As the answer to its start and the list show it. */
export const importJson = (turn: Turn, one: SiteImport): unknown => {
  if (one.attempt !== null) return underWay(turn, one)
  const { checkedRow, state, storedRow, updatedAt } = one
  // The end of the silence may lie within the time of the call.
  const states = [between(turn.at["@from"], turn.at["@from"]), turn.at].map((at) =>
    isSilent(one, at) ? "stopped" : state
  )
  const shown = new Hole(states.join(" or "), (found) => states.some((each) => each === found))
  const rest = { state: shown, checkedRow, storedRow, updatedAt, problem: state === "failed" ? problem : null }
  return { ...json(one), ...rest }
}

/** The latest ones first. */
export const latest = ({ imports }: Organisation): ReadonlyArray<SiteImport> =>
  [...imports.values()]
    .sort((a, b) => b.startedAt["@from"] - a.startedAt["@from"] || (a.id < b.id ? -1 : 1))
    .slice(0, listed)

type Started = Pick<SiteImport, "id" | "fileName" | "options" | "request"> & { readonly table: Table }

const remaining = (plan: Plan, row: number): Plan => ({ ...plan, rows: plan.rows.filter((one) => one.row > row) })

export const start = (turn: Turn, { table, ...started }: Started): unknown => {
  const { at, call, organisation } = turn
  const userId = userOf(turn).id
  const one: SiteImport = organisation.imports.get(started.id) ?? {
    ...{ ...started, userId, state: "running", checkedRow: 0, storedRow: 0, counts: noCounts },
    ...{ startedAt: { ...at }, updatedAt: at, attempt: null, made: new Map() }
  }
  const plan = planOf(turn, table, one.options, one.made)
  const isStored = one.storedRow > 0 && one.storedRow === plan.lastRow
  const after = isStored ? one.counts : sum(one.counts, plan.counts)
  Object.assign(one, {
    ...{ userId, state: "running", updatedAt: { ...at } },
    attempt: {
      ...{ requestId: call.requestId, from: at["@from"], plan: remaining(plan, one.storedRow) },
      ...{ before: one.counts, after, isStopped: false }
    }
  })
  organisation.imports.set(one.id, one)
  if (!organisation.importIds.includes(one.id)) organisation.importIds.push(one.id)
  const { checkedRow, state, storedRow, updatedAt } = one
  return { ...json(one), state, problem: null, checkedRow, storedRow, updatedAt }
}

/** How much an attempt may have stored. New sites are stored before changes. */
export const extents = ["nothing", "new sites", "all"] as const

/** Extents that the record allows. */
const allowed = ({ checkedRow, state, storedRow }: SiteImport, { isStopped, plan }: Attempt): ReadonlyArray<string> => {
  if (state === "completed" || (storedRow > 0 && storedRow === checkedRow && plan.rows.length > 0)) return ["all"]
  return isStopped ? extents : ["nothing"]
}

/**
 * Ends the attempt: `ids` are those of sites that the model does not know, by age. False when it
 * cannot have stored these.
 */
export const end = (
  organisation: Organisation,
  one: SiteImport,
  ids: ReadonlyArray<string>,
  now: number,
  extent: (typeof extents)[number]
): boolean => {
  const { attempt, made, userId } = one
  if (attempt === null) return ids.length === 0
  const { from, plan, requestId } = attempt
  const isNew = ({ row, stored }: Plan["rows"][number]) => stored === null && !made.has(row)
  const rows = extent === "nothing" ? [] : plan.rows.filter(isNew)
  if (!allowed(one, attempt).includes(extent) || ids.length !== rows.length) return false
  one.attempt = null
  const originAt = (): Origin => ({
    ...{ organisation, at: between(from, now), within: between(from, now) },
    ...{ caller: { key: null, userId }, call: { requestId } }
  })
  const created = originAt()
  for (const [index, { row, values }] of rows.entries()) {
    const site = newSite(created, values)
    site.id = ids[index] ?? ""
    made.set(row, site.id)
    organisation.sites.set(site.id, site)
    emitChange(created, siteKind, "created", null, site)
  }
  const changed = originAt()
  for (const { stored, values } of extent === "all" ? plan.rows : []) {
    const site = organisation.sites.get(stored ?? "")
    if (site !== undefined) changeSite(changed, site, values)
  }
  return true
}
