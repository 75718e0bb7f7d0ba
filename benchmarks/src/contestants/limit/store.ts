/**
 * The tables by postgres.js.
 */
import { changesBetween, type Origin } from "../common/events.ts"
import type { KeyRecord } from "../common/keys.ts"
import { allScopes, kilowattsPerUnit, type Me, type Portfolio } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { orRefuseTaken } from "../common/violations.ts"
import { openDatabase } from "./database.ts"
import { documentStore } from "./documents.ts"
import { originParameters } from "./events.ts"
import { memberNames, type Site, type SiteRow, type Store, siteOf } from "./site.ts"
import * as statements from "./statements.ts"

type MeRow = Pick<Me["organisation"], "status"> &
  Omit<Me["apiKey"], "id" | "organisationId" | "scopes"> & {
    readonly organisationName: string
    readonly scopes: ReadonlyArray<string> | null
  }

export const openStore = () => {
  const database = openDatabase()
  const { close, run } = database

  const findSite: Store["findSite"] = async (organisationId, id) => {
    const [row] = await run<SiteRow>(statements.oneSite, [organisationId, id])
    return row && siteOf(row)
  }

  const holder = (organisationId: string) => async (externalId: string) =>
    (await run<{ id: string }>(statements.holder, [organisationId, externalId]))[0]?.id

  const insertSite: Store["insertSite"] = async (origin, site) => {
    const changes = changesBetween(memberNames, null, site)
    const values = memberNames.map((name) => site[name])
    const factor = kilowattsPerUnit[site.unit]
    const stored = run<SiteRow>(statements.insertSite, [
      ...originParameters(origin),
      changes,
      site.id,
      factor,
      ...values
    ])
    const [row] = await orRefuseTaken(site.externalId, stored, holder(origin.organisationId))
    if (row === undefined) throw new Error("The insert gave no row.")
    return siteOf(row)
  }

  /** The stored site is read first, for the event; the update repeats when it has changed meanwhile. */
  const updateSite: Store["updateSite"] = async (origin, id, wanted) => {
    const before = await findSite(origin.organisationId, id)
    if (before === undefined) throw new Problem("site_not_found")
    const after = { ...before, ...wanted }
    const changes = changesBetween(memberNames, before, after)
    const members = memberNames.filter((name) => name in changes)
    if (members.length === 0) return before
    const values = members.map((name) => after[name])
    const parameters = [...originParameters(origin), changes, id, before.version, kilowattsPerUnit[after.unit]]
    const stored = run<SiteRow>(statements.updateSite(members), [...parameters, ...values])
    const [row] = await orRefuseTaken(wanted.externalId, stored, holder(origin.organisationId))
    return row === undefined ? updateSite(origin, id, wanted) : siteOf(row)
  }

  /** Moves all sites or none; returns them in the order of the ids. */
  const moveSites = async (origin: Origin, portfolioId: string, siteIds: ReadonlyArray<string>) => {
    const { organisationId } = origin
    const rows = await run<SiteRow>(statements.moveSites, [...originParameters(origin), portfolioId, siteIds])
    const sites = new Map(rows.map((row): [string, Site] => [row.id, siteOf(row)]))
    if (sites.size === siteIds.length) return siteIds.map((id) => sites.get(id))
    const [portfolio] = await run(statements.portfolio, [organisationId, portfolioId])
    throw new Problem(portfolio === undefined ? "portfolio_not_found" : "site_not_found")
  }

  return {
    ...documentStore(database),
    findKey: async (digest) => (await run<KeyRecord>(statements.findKey, [digest]))[0],

    me: async ({ apiKeyId: id, organisationId, userId }) => {
      const [row] = await run<MeRow>(statements.me, [organisationId, id])
      if (row === undefined) throw new Problem("api_key_invalid")
      const { createdAt, createdBy, expiresAt, lastUsedAt, name, organisationName, portfolioIds, prefix, status } = row
      const scopes = row.scopes ?? allScopes
      return {
        organisation: { id: organisationId, name: organisationName, status },
        userId,
        apiKey: { id, organisationId, name, prefix, createdBy, createdAt, expiresAt, lastUsedAt, scopes, portfolioIds },
        scopes,
        portfolioIds
      }
    },

    findSite,
    insertSite,
    updateSite,

    listSites: async (organisationId, query) => {
      const { parameters, text } = statements.sitesOf(organisationId, query)
      return (await run<SiteRow>(text, parameters)).map(siteOf)
    },

    listWithSites: async (organisationId) => {
      const [found, rows] = await Promise.all([
        run<Portfolio>(statements.portfoliosWithTotals, [organisationId]),
        run<SiteRow>(statements.sitesInPortfolios, [organisationId])
      ])
      const sites = Map.groupBy(rows.map(siteOf), ({ portfolioId }) => portfolioId)
      return found.map((portfolio) => ({ ...portfolio, sites: sites.get(portfolio.id) ?? [] }))
    },

    moveSites,
    close
  } satisfies Store & { readonly moveSites: unknown; readonly setStatus: unknown }
}

export type LimitStore = ReturnType<typeof openStore>
