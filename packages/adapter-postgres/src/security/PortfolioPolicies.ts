/**
 * Policies for callers that are limited to portfolios (docs/decisions/0062). They restrict the policies of the
 * organisation, and hold only in messages that set portfolios. Settings are read once per statement, by `select`.
 */
import { quoteText } from "../client/PgSchema.ts"

/** Settings with an array of ids of portfolios, for statements that only read, and for writes. */
export const readPortfolios = "solar.read_portfolio_ids"
export const writtenPortfolios = "solar.written_portfolio_ids"

const textOf = (setting: string): string => `nullif(current_setting('${setting}', true), '')`
const idsOf = (setting: string): string => `(select ${textOf(setting)}::uuid[])::uuid[]`

/** SQL condition of a row of each table, given SQL of an array of ids. */
const conditions = (schema: string): Readonly<Record<string, (ids: string) => string>> => ({
  portfolio: (ids) => `id = any (${ids})`,
  site: (ids) => `portfolio_id = any (${ids})`,
  requirement: (ids) => `portfolio_id is null or portfolio_id = any (${ids})`,
  document: (ids) => `exists (
    select from ${schema}.site s
    where s.organisation_id = document.organisation_id and s.id = document.site_id and s.portfolio_id = any (${ids})
  )`,
  // Kinds that do not belong to portfolios are absent for limited callers.
  webhook: () => "false",
  webhook_delivery: () => "false"
})

/** An event is in the present portfolio of its site. A deleted site is in its last one. */
const eventCondition = (schema: string, ids: string): string => `subject_id = any (${ids})
  or exists (
    select from ${schema}.site s
    where s.organisation_id = event.organisation_id and s.id = event.site_id and s.portfolio_id = any (${ids})
  )
  or ${schema}.was_deleted_within(organisation_id, site_id, ${ids})`

// A policy of events cannot read events, and the policy of sites hides whether a site is there.
const deletedWithin = (schema: string): string => `
  select coalesce((
    select d.changes #>> '{portfolioId,from}' = any ($3::text[]) from ${schema}.event d
    where d.organisation_id = $1 and d.subject_id = $2 and d.type = 'site.deleted'
    order by d.sequence desc limit 1
  ), false) and not exists (select from ${schema}.site s where s.organisation_id = $1 and s.id = $2)`

const commands: ReadonlyArray<readonly [command: string, setting: string, clauses: ReadonlyArray<string>]> = [
  ["select", readPortfolios, ["using"]],
  ["insert", writtenPortfolios, ["with check"]],
  ["update", writtenPortfolios, ["using", "with check"]],
  ["delete", writtenPortfolios, ["using"]]
]

const policies = (
  table: string,
  condition: (ids: string) => string,
  [command, setting, clauses]: (typeof commands)[number]
): string => {
  const name = `own_portfolios_${command}`
  const whole = `(select ${textOf(setting)} is null) or ${condition(idsOf(setting))}`
  return `
drop policy if exists ${name} on ${table};
create policy ${name} on ${table} as restrictive for ${command} ${clauses.map((clause) => `${clause} (${whole})`).join(" ")};`
}

/** SQL of the policies in a schema, given its quoted name. They can be there already. */
export const portfolioPolicies = (schema: string): string =>
  [
    `
create or replace function ${schema}.was_deleted_within(organisation uuid, site uuid, portfolios uuid[]) returns boolean
language sql stable security definer set search_path = pg_catalog as ${quoteText(deletedWithin(schema))};`,
    ...Object.entries(conditions(schema)).flatMap(([name, condition]) =>
      commands.map((command) => policies(`${schema}.${name}`, condition, command))
    ),
    ...commands
      .filter(([command]) => command === "select")
      .map((command) => policies(`${schema}.event`, (ids) => eventCondition(schema, ids), command))
  ].join("")
