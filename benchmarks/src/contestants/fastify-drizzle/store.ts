/**
 * The tables by Drizzle over pg. Frequent queries are prepared once, as its documentation advises.
 */
import { and, asc, eq, getTableColumns, gt, isNotNull, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import pg from "pg"
import { allScopes } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import { makeChanges } from "./changes.ts"
import { type Store, siteOf } from "./site.ts"
import { apiKeys, organisations, portfolios, sites } from "./tables.ts"

const prepare = (db: ReturnType<typeof drizzle>) => {
  const ofOrganisation = eq(sites.organisationId, sql.placeholder("organisationId"))
  const limit = sql.placeholder("limit")
  return {
    key: db
      .select({
        organisationId: apiKeys.organisationId,
        apiKeyId: apiKeys.id,
        keyPrefix: apiKeys.prefix,
        userId: apiKeys.createdBy,
        expiresAt: apiKeys.expiresAt,
        status: organisations.status
      })
      .from(apiKeys)
      .innerJoin(organisations, eq(organisations.id, apiKeys.organisationId))
      .where(eq(apiKeys.digest, sql.placeholder("digest")))
      .prepare("key"),
    site: db
      .select()
      .from(sites)
      .where(and(ofOrganisation, eq(sites.id, sql.placeholder("id"))))
      .prepare("site"),
    firstSites: db
      .select()
      .from(sites)
      .where(ofOrganisation)
      .orderBy(asc(sites.id))
      .limit(limit)
      .prepare("first_sites"),
    sitesOfPortfolio: db
      .select()
      .from(sites)
      .where(and(ofOrganisation, eq(sites.portfolioId, sql.placeholder("portfolioId"))))
      .orderBy(asc(sites.id))
      .limit(limit)
      .prepare("sites_of_portfolio")
  }
}

export const makeStore = (): Store => {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: settings.poolSize })
  const db = drizzle(pool)
  const prepared = prepare(db)

  const findSite: Store["findSite"] = async (organisationId, id) => {
    const [row] = await prepared.site.execute({ organisationId, id })
    return row && siteOf(row)
  }

  return {
    findKey: async (digest) => (await prepared.key.execute({ digest }))[0],

    me: async ({ apiKeyId, organisationId, userId }) => {
      const { digest, ...shown } = getTableColumns(apiKeys)
      const [row] = await db
        .select({ organisation: organisations, apiKey: shown })
        .from(apiKeys)
        .innerJoin(organisations, eq(organisations.id, apiKeys.organisationId))
        .where(and(eq(apiKeys.organisationId, organisationId), eq(apiKeys.id, apiKeyId)))
      if (row === undefined) throw new Problem("api_key_invalid")
      const scopes = row.apiKey.scopes ?? allScopes
      return { ...row, apiKey: { ...row.apiKey, scopes }, userId, scopes, portfolioIds: row.apiKey.portfolioIds }
    },

    findSite,

    listSites: async (organisationId, { after, limit, portfolioId, siteId }) => {
      const rows =
        after !== undefined || siteId !== undefined
          ? await db
              .select()
              .from(sites)
              .where(
                and(
                  eq(sites.organisationId, organisationId),
                  portfolioId === undefined ? undefined : eq(sites.portfolioId, portfolioId),
                  siteId === undefined ? undefined : eq(sites.id, siteId),
                  after === undefined ? undefined : gt(sites.id, after)
                )
              )
              .orderBy(asc(sites.id))
              .limit(limit + 1)
          : portfolioId === undefined
            ? await prepared.firstSites.execute({ organisationId, limit: limit + 1 })
            : await prepared.sitesOfPortfolio.execute({ organisationId, portfolioId, limit: limit + 1 })
      return rows.map(siteOf)
    },

    listWithSites: async (organisationId) => {
      const totals = db
        .select({
          portfolioId: sites.portfolioId,
          siteCount: sql<number>`count(*)`.mapWith(Number).as("site_count"),
          capacityKw: sql<number>`sum(${sites.capacityKw})`.mapWith(Number).as("total_kw")
        })
        .from(sites)
        .where(eq(sites.organisationId, organisationId))
        .groupBy(sites.portfolioId)
        .as("totals")
      const [found, rows] = await Promise.all([
        db
          .select({ portfolio: portfolios, siteCount: totals.siteCount, capacityKw: totals.capacityKw })
          .from(portfolios)
          .leftJoin(totals, eq(totals.portfolioId, portfolios.id))
          .where(eq(portfolios.organisationId, organisationId))
          .orderBy(asc(portfolios.id)),
        db
          .select()
          .from(sites)
          .where(and(eq(sites.organisationId, organisationId), isNotNull(sites.portfolioId)))
          .orderBy(asc(sites.portfolioId), asc(sites.id))
      ])
      const sitesOf = Map.groupBy(rows.map(siteOf), ({ portfolioId }) => portfolioId)
      return found.map(({ capacityKw, portfolio, siteCount }) => ({
        ...portfolio,
        siteCount: siteCount ?? 0,
        capacityKw: capacityKw ?? 0,
        sites: sitesOf.get(portfolio.id) ?? []
      }))
    },

    ...makeChanges(db),

    close: () => pool.end()
  }
}
