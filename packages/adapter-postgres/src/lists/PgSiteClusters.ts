/**
 * Sites on a map, counted by the cells of a grid. Positions are read from an index alone, and names of few sites.
 */
import {
  fewSites,
  gridOf,
  maximumNamedSites,
  partsOfCell,
  reachParts,
  type SiteClusters,
  type SiteRepository
} from "@solar-sites/core"
import { Effect } from "effect"
import { answerOf } from "../client/PgJsonStatement.ts"
import type { PgParameter } from "../client/PgStatement.ts"
import { joined, mainQuery, type PgText, sql, table } from "../client/PgText.ts"
import type { PgClient } from "../PgClient.ts"
import { arrayText, numberText } from "../tables/SqlValues.ts"
import { hasWords, patternsOf } from "./PgConditions.ts"
import { inPortfolio } from "./PgReached.ts"
import { searchParts, siteConditions } from "./PgSiteConditions.ts"
import { hasHealth } from "./SiteHealthCondition.ts"

const operation = "SiteRepository.clusters"
const ofOrganisation = "x.organisation_id = $1::uuid"

// More than a grid has. The server takes each site for a cluster, and would compile the
// statement (jit) for its expected cost.
const mostCells = 500

interface Meeting {
  /** Conditions on sites `x`, without the search. */
  readonly conditions: ReadonlyArray<PgText | string>
  readonly search: string | null
  /** How an index that has words and no positions is read: not at all, for each site that it finds, or for all of them. */
  readonly reading: "none" | "each" | "all"
  readonly isSection: boolean
}

const textOf = ({ conditions, isSection, reading, search }: Meeting): PgText => {
  const meeting = (columns: string, further: ReadonlyArray<PgText | string>) => sql`
    select ${columns} from ${table("site")} x
    where ${joined([ofOrganisation, ...conditions, ...further], " and ")}`
  const searched = search === null ? [] : [search]
  const parts = searchParts.map(
    (part) => sql`select x.id from ${table("site")} x where ${ofOrganisation} and ${part} and ${searched.join("")}`
  )
  const ids = joined(parts, " union all ")
  const columns = "x.longitude, x.latitude"
  const found = {
    none: () => meeting(columns, searched),
    each: () => sql`select r.* from (${ids}) f cross join lateral (${meeting(columns, ["x.id = f.id"])} offset 0) r`,
    // Within an expression the server puts the ids into a table of hashes, however many it expects.
    all: () => meeting(columns, [sql`coalesce(x.id in (${ids}), false)`])
  }[reading]()
  const named = (...further: ReadonlyArray<string>) => sql`(
    select coalesce(json_agg(json_build_object('id', s.id, 'siteName', s.site_name) order by s.id), '[]')
    from (
      select z.id from (${meeting("x.id", [...further, ...searched])} offset 0) z order by z.id limit ${maximumNamedSites}
    ) f
    join ${table("site")} s on s.organisation_id = $1::uuid and s.id = f.id
  )`
  const unplaced = sql`(
    select json_build_object('count', coalesce(sum(c.count), 0), 'sites', case when coalesce(sum(c.count), 0) = 0
      then '[]'::json else ${named("(x.longitude is null or x.latitude is null)")} end)
    from cells c where c.x is null or c.y is null
  )`
  return sql`
    with parts as materialized (
      select floor(f.longitude / $2::float8) as x, floor(f.latitude / $3::float8) as y, count(*) as count,
             min(f.longitude) + 0 as west, min(f.latitude) + 0 as south,
             max(f.longitude) + 0 as east, max(f.latitude) + 0 as north
      from (${found}) f group by 1, 2
    ),
    cells as materialized (
      select floor(p.x / s.size) as x, floor(p.y / s.size) as y, sum(p.count)::bigint as count,
             min(p.west) as west, min(p.south) as south, max(p.east) as east, max(p.north) as north
      from parts p cross join (
        select case when sum(z.count) > ${fewSites} then ${partsOfCell} else 1 end as size
        from parts z where z.x is not null and z.y is not null
      ) s
      group by 1, 2
    )
    ${mainQuery} select json_build_object(
      'clusters', (
        select coalesce(json_agg(json_build_object(
          'count', c.count, 'west', c.west, 'south', c.south, 'east', c.east, 'north', c.north,
          'sites', case when c.west = c.east and c.south = c.north
            then ${named("x.longitude = c.west", "x.latitude = c.south")} else '[]'::json end
        ) order by c.west, c.south), '[]')
        from (select * from cells c where c.x is not null and c.y is not null limit ${mostCells}) c
      ),
      'unplaced', ${isSection ? "null" : unplaced}
    )::text`
}

export const makeClusters = ({ run }: PgClient["Service"]): SiteRepository["Service"]["clusters"] => {
  const texts = new Map<string, PgText>()

  return (reach, { health, q, within, ...conditions }) => {
    const { organisationId, portfolioIds } = reachParts(reach)
    const { height, width } = gridOf(within)
    const parameters: Array<PgParameter> = [
      organisationId,
      numberText(width / partsOfCell),
      numberText(height / partsOfCell)
    ]
    const parameter = (value: PgParameter, type: string): string => `$${parameters.push(value)}::${type}`
    const given: Array<PgText | string> = []
    if (within !== undefined) {
      const [west, south, east, north] = [within.west, within.south, within.east, within.north].map((degrees) =>
        parameter(numberText(degrees), "float8")
      )
      // The server expects next to no rows of two ranges with unknown borders, and would sort those that it finds.
      given.push(`x.longitude between ${west} and ${east}`, `coalesce(x.latitude between ${south} and ${north}, false)`)
    }
    const { leading, others } = siteConditions(conditions, portfolioIds)
    const lead = leading.find(({ value }) => value !== undefined)
    const rest = [...leading, ...others].filter((condition) => condition !== lead)
    const isFiltered = rest.some(({ value }) => value !== undefined)
    if (lead !== undefined) given.push(lead.sql(parameter(lead.value ?? null, lead.type)))
    if (isFiltered) {
      for (const { sql: condition, type, value = null } of rest) {
        const one = parameter(value, type)
        given.push(sql`(${one} is null or ${condition(one)})`)
      }
    }
    const ofHealth = hasHealth(health)
    if (ofHealth.value !== undefined) given.push(ofHealth.sql(parameter(ofHealth.value, ofHealth.type)))
    if (portfolioIds !== null) {
      const ids = inPortfolio("portfolio_id").ids(parameter(arrayText(portfolioIds), "text::uuid[]"))
      given.push(sql`x.portfolio_id in (${ids})`)
    }
    const search = q === undefined ? null : hasWords(parameter(patternsOf(q), "text::text[]"))
    const areFew = lead !== undefined || portfolioIds !== null
    const isRead = isFiltered || health !== undefined
    const reading = search === null || areFew ? "none" : isRead ? "each" : "all"
    const form = [
      lead && leading.indexOf(lead),
      isFiltered,
      health === undefined,
      portfolioIds === null,
      search === null
    ]
    const key = [...form, within === undefined].join(" ")
    const text = texts.get(key) ?? textOf({ conditions: given, search, reading, isSection: within !== undefined })
    texts.set(key, text)
    const statement = { operation, text, parameters, readOnly: true, scope: { organisationId, portfolioIds } }
    return Effect.flatMap(run(statement), (rows) => {
      const answer = answerOf<SiteClusters>(rows)
      return answer === null ? Effect.die("a statement of clusters answers one row") : Effect.succeed(answer)
    })
  }
}
