/**
 * The tables by Drizzle over pg. Frequent queries are prepared once, as its documentation advises.
 */
import { and, asc, eq, getTableColumns, gt, isNotNull, or, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import pg from "pg"
import { allScopes, kilowattsPerUnit } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import { orRefuse } from "../common/violations.ts"
import { type Store, siteOf } from "./site.ts"
import { apiKeys, documents, organisations, portfolios, sites } from "./tables.ts"

const prepare = (db: ReturnType<typeof drizzle>) => {
  const ofOrganisation = eq(sites.organisationId, sql.placeholder("organisationId"))
  const limit = sql.placeholder("limit")
  return {
    key: db
      .select({
        organisationId: apiKeys.organisationId,
        apiKeyId: apiKeys.id,
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
      return { ...row, apiKey: { ...row.apiKey, scopes }, userId, scopes }
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

    insertSite: async (organisationId, { at, ...members }) => {
      const values = {
        ...members,
        organisationId,
        kilowattsPerUnit: kilowattsPerUnit[members.unit],
        createdAt: at,
        updatedAt: at,
        version: 1
      }
      const [row] = await orRefuse(db.insert(sites).values(values).returning())
      if (row === undefined) throw new Error("The insert gave no row.")
      return siteOf(row)
    },

    updateSite: async (organisationId, id, changes, at) => {
      const columns = getTableColumns(sites)
      const values =
        changes.unit === undefined ? changes : { ...changes, kilowattsPerUnit: kilowattsPerUnit[changes.unit] }
      const differs = Object.entries(changes).map(([member, value]) => {
        const column = Reflect.get(columns, member)
        return sql`${column} is distinct from ${sql.param(value, column)}`
      })
      const [row] =
        differs.length === 0
          ? []
          : await orRefuse(
              db
                .update(sites)
                .set({ ...values, updatedAt: at, version: sql`${sites.version} + 1` })
                .where(and(eq(sites.organisationId, organisationId), eq(sites.id, id), or(...differs)))
                .returning()
            )
      const site = row === undefined ? await findSite(organisationId, id) : siteOf(row)
      if (site === undefined) throw new Problem("site_not_found")
      return site
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

    insertDocuments: async (organisationId, { at, documents: made, expiresAt, siteId, uploadedBy }) => {
      if (made.length === 0) return
      const rows = made.map((document) => ({
        ...document,
        organisationId,
        siteId,
        status: "pending",
        declaredBytes: document.sizeBytes,
        uploadedBy,
        createdAt: at,
        updatedAt: at,
        version: 1,
        addressExpiresAt: expiresAt,
        lookAt: expiresAt
      }))
      await orRefuse(db.insert(documents).values(rows))
    },

    close: () => pool.end()
  }
}
