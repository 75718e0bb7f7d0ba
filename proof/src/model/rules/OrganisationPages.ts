/**
 * Rules of the pages about the organisation: name, settings, use and totals (docs/console.md).
 */
import { DocumentStatus, Name } from "@solar-sites/core/model"
import { Schema } from "effect"
import { about, changesOf, emit, ok, type Rule, type Turn } from "../Call.ts"
import { given } from "../Input.ts"
import { Hole, type Instant } from "../Match.ts"
import { inOrder, type Organisation, type Site } from "../ModelState.ts"
import { forManager, roleInsufficient, userOf } from "./Roles.ts"
import { capacityKw } from "./SiteRecords.ts"

const json = ({ id, loginDomains, name: called, requireSecondFactor }: Organisation) => ({
  ...{ id, name: called, requireSecondFactor, loginDomains }
})

const change = (turn: Turn, values: Partial<Pick<Organisation, "name" | "requireSecondFactor">>) => {
  const { organisation } = turn
  const changes = changesOf({ ...organisation }, { ...organisation, ...values }, Object.keys(values))
  Object.assign(organisation, values)
  if (Object.keys(changes).length > 0) {
    emit(turn, "organisation.updated", about("organisation", organisation), null, changes)
  }
  return ok(200, json(organisation))
}

/** A key may end within the time of the call. */
const liveKeys = ({ keys }: Organisation, { "@from": from, "@to": to }: Instant): Hole => {
  const live = (now: number) => keys.filter(({ deleted, expiresAt }) => !deleted && expiresAt["@from"] > now).length
  return new Hole("live keys", (found) => Number(found) <= live(from) && Number(found) >= live(to))
}

const largest = 8

const totalsOf = (sites: ReadonlyArray<Site>) => ({
  siteCount: sites.length,
  capacityKw: sites.reduce((sum, site) => sum + capacityKw(site), 0)
})

export const organisationRules: Readonly<Record<string, Rule>> = {
  getOrganisation: ({ organisation }) => ok(200, json(organisation)),
  requireSecondFactor: forManager((turn) =>
    given(Schema.Struct({ requireSecondFactor: Schema.Boolean }), turn.call, (values) => change(turn, values))
  ),
  renameOrganisation: (turn) =>
    userOf(turn).role === "owner"
      ? given(Schema.Struct({ name: Name }), turn.call, (values) => change(turn, values))
      : roleInsufficient,
  getOrganisationUse: ({ organisation: { documents } }) => {
    const stored = [...documents.values()].filter(({ status }) =>
      ["uploaded", "approved", "completed"].includes(status)
    )
    return ok(200, {
      documents: documents.size,
      measuredDocuments: documents.size,
      bytes: stored.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
    })
  },
  /** The largest portfolios with sites, and totals. */
  getOrganisationOverview: ({ at, organisation }) => {
    const { documents, portfolios, requirements, users } = organisation
    const sites = [...organisation.sites.values()]
    const held = inOrder(portfolios)
      .map(({ id, name }) => ({ id, name, ...totalsOf(sites.filter(({ portfolioId }) => portfolioId === id)) }))
      .filter(({ siteCount }) => siteCount > 0)
      .sort((a, b) => b.capacityKw - a.capacityKw)
    const all = [...documents.values()]
    const counts = DocumentStatus.literals.map((state) => [state, all.filter(({ status }) => status === state).length])
    return ok(200, {
      ...totalsOf(sites),
      portfolios: held.slice(0, largest),
      otherPortfolios: Math.max(0, held.length - largest),
      withoutPortfolio: totalsOf(sites.filter(({ portfolioId }) => portfolioId === null)),
      documents: Object.fromEntries(counts),
      requirements: requirements.entries.length,
      apiKeys: liveKeys(organisation, at),
      users: users.size
    })
  }
}
