/**
 * Imports of sites by users of the console, in the table `console_site_import`. Every method is one
 * statement within the given organisation; instants come from the server's clock.
 */
import { mainChange, mainQuery, PgClient, type PgText, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, PortfolioId, PortfolioLimit, UserId } from "@solar-sites/core"
import { Clock, Duration, Effect } from "effect"
import { instant, milliseconds } from "../../accounts/SqlValues.ts"
import type { Mapping } from "../../import/Columns.ts"
import type { Counts } from "../../import/SiteSteps.ts"

/**
 * SQL of the locked organisation, before all other rows, as its deletion locks it: a foreign key locks it at the end of
 * a statement.
 */
const organisationRow = (organisationId: string): PgText => sql`organisation_row as materialized (
  select id from ${table("organisation")} where id = ${organisationId}::uuid for key share
)`

/** An attempt that has not made progress for this time has ended: its server was stopped. */
const silence = Duration.toMillis("30 seconds")

/** Finished and interrupted imports are kept for this time. */
const life = Duration.toMillis("30 days")

const listed = 10

/** How the file is read. A repetition needs the same. */
interface ReadOptions {
  readonly upsert: boolean
  readonly mappings: ReadonlyArray<Mapping>
  readonly portfolioId?: PortfolioId
}

/**
 * `stopped`: the attempt has ended without a result; the rows up to `storedRow` are stored. Instants
 * in milliseconds.
 */
export interface StoredImport extends Counts {
  readonly id: string
  readonly userId: UserId
  readonly fileName: string
  readonly options: ReadOptions
  readonly fingerprint: string
  readonly seed: string
  readonly attempt: number
  readonly state: "running" | "completed" | "failed" | "stopped"
  readonly problem: string | null
  readonly checkedRow: number
  readonly storedRow: number
  readonly startedAt: number
  readonly updatedAt: number
}

export type NewImport = Pick<StoredImport, "id" | "userId" | "fileName" | "options" | "fingerprint" | "seed">

export type Attempt = Pick<StoredImport, "id" | "attempt">

export type Progress = Pick<StoredImport, "checkedRow" | "storedRow" | keyof Counts>

/** What every statement gets. A running import has stopped if it made its last progress at `silentSince` or before. */
interface Given {
  readonly organisationId: OrganisationId
  readonly now: number
  readonly silentSince: number
}

const document = (silentSince: string): string => `json_build_object(
  'id', i.id, 'userId', i.user_id, 'fileName', i.file_name, 'options', i.options, 'fingerprint', i.fingerprint, 'seed', i.seed,
  'attempt', i.attempt, 'problem', i.problem, 'checkedRow', i.checked_row, 'storedRow', i.stored_row,
  'created', i.created, 'updated', i.updated, 'unchanged', i.unchanged,
  'state', case when i.state = 'running' and i.updated_at <= ${instant(silentSince)} then 'stopped' else i.state end,
  'startedAt', ${milliseconds("i.started_at")}, 'updatedAt', ${milliseconds("i.updated_at")}
)`

const statements = (client: PgClient["Service"]) => {
  return {
    begin: statement<StoredImport, Given & Omit<NewImport, "options"> & { options: string; expiredSince: number }>(
      client,
      "SiteImportStore.begin",
      (given) => sql`with ${organisationRow(given.organisationId)}, expired as (
         delete from ${table("console_site_import")} t using organisation_row r
         where t.organisation_id = r.id and t.id <> ${given.id}::uuid and t.updated_at <= ${instant(given.expiredSince)}
       ), i as (
         insert into ${table("console_site_import")} as t (
           organisation_id, id, user_id, file_name, fingerprint, seed, attempt, state, problem,
           checked_row, stored_row, created, updated, unchanged, started_at, updated_at, options
         )
         select r.id, ${given.id}::uuid, ${given.userId}::uuid, ${given.fileName}::text, ${given.fingerprint}::text, ${given.seed}::uuid, 1, 'running', null,
           0, 0, 0, 0, 0, ${instant(given.now)}, ${instant(given.now)}, ${given.options}::text::jsonb
         from organisation_row r
         where not exists (
           select from ${table("console_site_import")} x
           where x.organisation_id = ${given.organisationId}::uuid and x.id <> ${given.id}::uuid
             and x.state = 'running' and x.updated_at > ${instant(given.silentSince)}
         )
         on conflict (organisation_id, id) do update
           set state = 'running', problem = null, attempt = t.attempt + 1, user_id = excluded.user_id,
             updated_at = excluded.updated_at
           where t.fingerprint = excluded.fingerprint
             and (t.state = 'failed' or (t.state = 'running' and t.updated_at <= ${instant(given.silentSince)}))
         returning *
       )
       ${mainQuery} select ${document(given.silentSince)}::text from i`
    ),

    // A user who was deleted, may not write any more or is limited to fewer portfolios, an inactive organisation, and a later import
    // end the import. Two imports that begin at the same time do not see each other before.
    progress: statement<boolean, Given & Attempt & Progress & { portfolioIds: string | null }>(
      client,
      "SiteImportStore.progress",
      (given) => sql`with i as (
         update ${table("console_site_import")} i
         set checked_row = ${given.checkedRow}::int, stored_row = ${given.storedRow}::int, created = ${given.created}::int,
           updated = ${given.updated}::int, unchanged = ${given.unchanged}::int, updated_at = ${instant(given.now)}
         where i.organisation_id = ${given.organisationId}::uuid and i.id = ${given.id}::uuid and i.attempt = ${given.attempt}::int
           and i.state = 'running'
           and exists (
             select from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
             where u.organisation_id = ${given.organisationId}::uuid and u.id = i.user_id and u.role <> 'viewer'
               and o.status = 'active'
               and (u.portfolio_ids is null or coalesce(${given.portfolioIds}::text::uuid[] <@ u.portfolio_ids, false))
           )
           and not exists (
             select from ${table("console_site_import")} x
             where x.organisation_id = ${given.organisationId}::uuid and x.state = 'running'
               and x.updated_at > ${instant(given.silentSince)} and (x.started_at, x.id) > (i.started_at, i.id)
           )
         returning i.id
       )
       ${mainQuery} select to_json(exists (select from i))::text`
    ),

    finish: statement<never, Omit<Given, "silentSince"> & Attempt & Pick<StoredImport, "state" | "problem">>(
      client,
      "SiteImportStore.finish",
      ({ attempt, id, now, organisationId, problem, state }) => sql`${mainChange}
       update ${table("console_site_import")}
       set state = ${state}::text, problem = ${problem}::text, updated_at = ${instant(now)}
       where organisation_id = ${organisationId}::uuid and id = ${id}::uuid and attempt = ${attempt}::int
         and state = 'running'`
    ),

    list: statement<ReadonlyArray<StoredImport>, Omit<Given, "now"> & { id: string | null; userId: UserId | null }>(
      client,
      "SiteImportStore.list",
      ({ id, organisationId, silentSince, userId }) => sql`
       select coalesce(json_agg(${document(silentSince)} order by i.started_at desc, i.id), '[]')::text from (
         select * from ${table("console_site_import")}
         where organisation_id = ${organisationId}::uuid and (${id}::uuid is null or id = ${id}::uuid)
           and (${userId}::uuid is null or user_id = ${userId}::uuid)
         order by started_at desc, id limit ${listed}
       ) i`,
      { repeatable: true }
    )
  }
}

export const siteImportStore = Effect.map(PgClient, (client) => {
  const sql = statements(client)
  const given = (organisationId: OrganisationId) =>
    Effect.map(Clock.currentTimeMillis, (now): Given => ({ organisationId, now, silentSince: now - silence }))
  return {
    /**
     * Begins an import, or the next attempt of one that has ended without success. Null when it is
     * running or completed, when another content has its id, and while another import of the
     * organisation is running. Deletes records that are 30 days old.
     */
    begin: (organisationId: OrganisationId, { options, ...started }: NewImport) =>
      Effect.flatMap(given(organisationId), (at) =>
        sql.begin({ ...started, ...at, options: JSON.stringify(options), expiredSince: at.now - life })
      ),

    /**
     * False when the attempt must end: the user may not import any more, or not within these portfolios; or a later
     * attempt or a later import of the organisation has begun.
     */
    progress: (organisationId: OrganisationId, attempt: Attempt, progress: Progress, limit: PortfolioLimit) =>
      Effect.flatMap(given(organisationId), (at) => {
        const portfolioIds = limit === null ? null : `{${limit.join(",")}}`
        return Effect.map(
          sql.progress({ ...attempt, ...progress, ...at, portfolioIds }),
          (isRunning) => isRunning === true
        )
      }),

    /** Without a problem the import is completed. No effect on another attempt. */
    finish: (organisationId: OrganisationId, attempt: Attempt, problem: string | null) =>
      Effect.flatMap(given(organisationId), (at) =>
        Effect.asVoid(sql.finish({ ...attempt, ...at, state: problem === null ? "completed" : "failed", problem }))
      ),

    /** The latest first, at most ten; with `id`, at most this one; with `userId`, those of the user. */
    list: (
      organisationId: OrganisationId,
      { id = null, userId = null }: { readonly id?: string | null; readonly userId?: UserId | null } = {}
    ) =>
      Effect.flatMap(given(organisationId), (at) => Effect.map(sql.list({ ...at, id, userId }), (found) => found ?? []))
  }
})

export type SiteImportStore = Effect.Success<typeof siteImportStore>
