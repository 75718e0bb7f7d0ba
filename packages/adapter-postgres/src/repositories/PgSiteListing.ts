/**
 * Lists of sites.
 */
import { allConditionsRead, type SiteRepository } from "@solar-sites/core"
import { sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { isShownAsStored, siteTable } from "../tables/SiteTable.ts"
import { afterInstant, arrayText, byName, byUpdate, findPages, type PgCondition } from "./PgFinding.ts"
import { pages } from "./PgPage.ts"

export const makeSiteList = (client: PgClient["Service"]): SiteRepository["Service"]["list"] => {
  const operation = "SiteRepository.list"
  const ofOrganisation = sql`from ${table("site")} s where s.organisation_id = $1::uuid`
  const list = (parameters: number, conditions: string) =>
    pages(client, {
      operation,
      table: siteTable,
      id: "s.id",
      parameters,
      select: (rest) => sql`select s.* ${ofOrganisation} ${conditions} ${rest}`,
      isShownAsStored
    })
  const all = list(1, "")
  const ofPortfolio = list(2, "and s.portfolio_id = $2::uuid")
  const one = list(2, "and s.id = $2::uuid")
  const oneOfPortfolio = list(3, "and s.id = $2::uuid and s.portfolio_id = $3::uuid")

  const find = findPages(client, {
    operation,
    table: siteTable,
    from: table("site"),
    rows: (ids) =>
      sql`select r.* from ${ids} cross join lateral (select s.* ${ofOrganisation} and s.id = f.id offset 0) r`,
    orders: {
      createdAt: null,
      updatedAt: byUpdate,
      siteName: byName,
      capacityKw: { sql: "x.capacity_kw::float8", parameter: (value) => `${value}::float8` }
    },
    searchOrders: ["siteName"],
    parts: ["octet_length(x.search) <= 2500", "octet_length(x.search) > 2500"],
    isShownAsStored
  })

  return (organisationId, conditions, page) => {
    const { externalId, portfolioId, q, siteId, tag = [], unit, updatedAfter, ...rest } = conditions
    allConditionsRead(rest)
    const given = { organisationId }
    const others: ReadonlyArray<PgCondition> = [
      {
        value: tag.length === 0 ? undefined : arrayText(tag),
        type: "text::text[]",
        sql: (value) => `x.tags @> ${value}`
      },
      { value: unit, type: "text", sql: (value) => `x.unit = ${value}` },
      afterInstant(updatedAfter)
    ]
    const isNew = page.sort !== undefined || q !== undefined || externalId !== undefined
    if (isNew || others.some(({ value }) => value !== undefined)) {
      const leading: ReadonlyArray<PgCondition> = [
        { value: siteId, type: "uuid", sql: (value) => `x.id = ${value}` },
        { value: externalId, type: "text", sql: (value) => `x.external_id = ${value}` },
        { value: portfolioId, type: "uuid", sql: (value) => `x.portfolio_id = ${value}` }
      ]
      return find({ organisationId, q, leading, others, page }, given)
    }
    if (siteId === undefined) {
      return portfolioId === undefined
        ? all(page, given, organisationId)
        : ofPortfolio(page, given, organisationId, portfolioId)
    }
    return portfolioId === undefined
      ? one(page, given, organisationId, siteId)
      : oneOfPortfolio(page, given, organisationId, siteId, portfolioId)
  }
}
