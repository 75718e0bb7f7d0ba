/**
 * The tables by postgres.js, row by row.
 */
import postgres from "postgres"
import type { KeyRecord } from "../common/keys.ts"
import { allScopes, kilowattsPerUnit, type Portfolio } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import { orRefuse } from "../common/violations.ts"
import { insertParameters, type SiteMembers, type SiteRow, type Store, siteOf } from "./site.ts"
import * as statements from "./statements.ts"

type Parameters = ReadonlyArray<string | number | Date | Buffer | null | object>

export const openDatabase = () => {
  // Decimals are read as numbers.
  const numeric = { to: 1700, from: [1700], serialize: String, parse: Number }
  const sql = postgres(settings.databaseUrl, { max: settings.poolSize, types: { numeric } })
  // The text of a statement determines the type of its rows.
  const run = <Row extends object>(text: string, parameters: Parameters) =>
    orRefuse(sql.unsafe<Array<Row>>(text, [...parameters] as Array<postgres.ParameterOrJSON<never>>, { prepare: true }))
  return { run, close: () => sql.end() }
}
export type Database = ReturnType<typeof openDatabase>

/** Members and values of a change, in the order of its statement. */
export const changing = ({ unit, ...changes }: Partial<SiteMembers>) => {
  const sent = Object.entries(unit === undefined ? changes : { ...changes, unit })
  // Object.entries loses the type of the keys.
  const members = sent.map(([member]) => member) as Array<keyof SiteMembers>
  return {
    members,
    values: [...sent.map(([, value]) => value), ...(unit === undefined ? [] : [kilowattsPerUnit[unit]])]
  }
}

const asItIs: statements.Instant = (column) => column

/** Statements that both hand-written servers share. */
export const commonStore = ({ close, run }: Database): Pick<Store, "findKey" | "me" | "insertDocuments" | "close"> => ({
  findKey: async (digest) => (await run<KeyRecord>(statements.findKey, [digest]))[0],

  me: async ({ apiKeyId, organisationId, userId }) => {
    const [row] = await run<
      Record<"organisationName" | "status" | "name" | "prefix", string> & {
        createdBy: string | null
        createdAt: Date
        expiresAt: Date
        lastUsedAt: Date | null
        scopes: ReadonlyArray<string> | null
      }
    >(statements.me, [organisationId, apiKeyId])
    if (row === undefined) throw new Problem("api_key_invalid")
    const { createdAt, createdBy, expiresAt, lastUsedAt, name, organisationName, prefix, status } = row
    const scopes = row.scopes ?? allScopes
    return {
      organisation: { id: organisationId, name: organisationName, status },
      userId,
      apiKey: { id: apiKeyId, organisationId, name, prefix, createdBy, createdAt, expiresAt, lastUsedAt, scopes },
      scopes
    }
  },

  insertDocuments: async (organisationId, { at, documents, expiresAt, siteId, uploadedBy }) => {
    const rows = documents.map((document) => ({ ...document }))
    await run(statements.insertDocuments, [organisationId, siteId, rows, uploadedBy, at, expiresAt])
  },

  close
})

export const rowStore = (): Store => {
  const database = openDatabase()
  const { run } = database
  const [one, insert] = [statements.oneSite(asItIs), statements.insertSite(asItIs)]
  const [portfolios, sitesIn] = [statements.portfoliosWithTotals(asItIs), statements.sitesInPortfolios(asItIs)]

  const findSite: Store["findSite"] = async (organisationId, id) => {
    const [row] = await run<SiteRow>(one, [organisationId, id])
    return row && siteOf(row)
  }

  return {
    ...commonStore(database),
    findSite,

    listSites: async (organisationId, query) => {
      const { parameters, text } = statements.sitesOf(asItIs, organisationId, query)
      return (await run<SiteRow>(text, parameters)).map(siteOf)
    },

    insertSite: async (organisationId, site) => {
      const [row] = await run<SiteRow>(insert, insertParameters(organisationId, site))
      if (row === undefined) throw new Error("The insert gave no row.")
      return siteOf(row)
    },

    updateSite: async (organisationId, id, changes, at) => {
      const { members, values } = changing(changes)
      const text = statements.updateSite(asItIs, members)
      const [row] = members.length === 0 ? [] : await run<SiteRow>(text, [organisationId, id, at, ...values])
      const site = row === undefined ? await findSite(organisationId, id) : siteOf(row)
      if (site === undefined) throw new Problem("site_not_found")
      return site
    },

    listWithSites: async (organisationId) => {
      const [found, rows] = await Promise.all([
        run<Portfolio>(portfolios, [organisationId]),
        run<SiteRow>(sitesIn, [organisationId])
      ])
      const sites = Map.groupBy(rows.map(siteOf), ({ portfolioId }) => portfolioId)
      return found.map((portfolio) => ({ ...portfolio, sites: sites.get(portfolio.id) ?? [] }))
    }
  }
}
