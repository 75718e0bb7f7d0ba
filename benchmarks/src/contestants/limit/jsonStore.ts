/**
 * The tables by postgres.js; each statement returns one JSON value that Postgres composes.
 */
import type { Portfolio } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { changing, commonStore, openDatabase } from "./rowStore.ts"
import { insertParameters, type Site, type Store, siteOf } from "./site.ts"
import * as statements from "./statements.ts"

type Timed<A> = Omit<A, "createdAt" | "updatedAt"> & { readonly createdAt: number; readonly updatedAt: number }

// A number is cheaper than the conversion of an instant to the text of the API.
const asNumber: statements.Instant = (column) => `date_part('epoch', ${column})`

const timed = <A extends Timed<object>>(row: A) => ({
  ...row,
  createdAt: new Date(Math.round(row.createdAt * 1_000)),
  updatedAt: new Date(Math.round(row.updatedAt * 1_000))
})

const toSite = (row: Timed<Site>): Site => siteOf(timed(row))

const many = (select: string) => `select json_agg(x)::text as json from (${select}) x`
const single = (select: string) => `select to_json(x)::text as json from (${select}) x`
const changed = (statement: string) => `with changed as (${statement}) select to_json(x)::text as json from changed x`

export const jsonStore = (): Store => {
  const database = openDatabase()

  /** The text of the statement determines the type of the answer. */
  const answer = async <Answer>(text: string, parameters: Parameters<typeof database.run>[1]) => {
    const [row] = await database.run<{ json: string | null }>(text, parameters)
    return row === undefined || row.json === null ? undefined : (JSON.parse(row.json) as Answer)
  }

  const one = single(statements.oneSite(asNumber))
  const insert = changed(statements.insertSite(asNumber))
  const portfolios = many(statements.portfoliosWithTotals(asNumber))
  const sitesIn = many(statements.sitesInPortfolios(asNumber))

  const findSite: Store["findSite"] = async (organisationId, id) => {
    const row = await answer<Timed<Site>>(one, [organisationId, id])
    return row && toSite(row)
  }

  return {
    ...commonStore(database),
    findSite,

    listSites: async (organisationId, query) => {
      const { parameters, text } = statements.sitesOf(asNumber, organisationId, query)
      return ((await answer<ReadonlyArray<Timed<Site>>>(many(text), parameters)) ?? []).map(toSite)
    },

    insertSite: async (organisationId, site) => {
      const row = await answer<Timed<Site>>(insert, insertParameters(organisationId, site))
      if (row === undefined) throw new Error("The insert gave no row.")
      return toSite(row)
    },

    updateSite: async (organisationId, id, changes, at) => {
      const { members, values } = changing(changes)
      const text = changed(statements.updateSite(asNumber, members))
      const row =
        members.length === 0 ? undefined : await answer<Timed<Site>>(text, [organisationId, id, at, ...values])
      const site = row === undefined ? await findSite(organisationId, id) : toSite(row)
      if (site === undefined) throw new Problem("site_not_found")
      return site
    },

    listWithSites: async (organisationId) => {
      const [found = [], rows = []] = await Promise.all([
        answer<ReadonlyArray<Timed<Portfolio>>>(portfolios, [organisationId]),
        answer<ReadonlyArray<Timed<Site>>>(sitesIn, [organisationId])
      ])
      const sites = Map.groupBy(rows.map(toSite), ({ portfolioId }) => portfolioId)
      return found.map((portfolio) => ({ ...timed(portfolio), sites: sites.get(portfolio.id) ?? [] }))
    }
  }
}
