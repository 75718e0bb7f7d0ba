/**
 * Imports of sites by users of the console, in the table `console_site_import`. Every method is one
 * statement within the given organisation; instants come from the server's clock.
 */
import { mainChange, mainQuery, PgClient, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, PortfolioId, PortfolioLimit, RepositoryError, UserId } from "@solar-sites/core"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { instant, milliseconds, statement } from "../../accounts/Statement.ts"
import type { Mapping } from "../../import/Columns.ts"
import type { Counts } from "../../import/SiteSteps.ts"

/**
 * SQL of the locked organisation `$1`, before all other rows, as its deletion locks it: a foreign key locks it at the end
 * of a statement.
 */
const organisationRow = sql`organisation_row as materialized (select id from ${table("organisation")} where id = $1::uuid for key share)`

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

const document = `json_build_object(
  'id', i.id, 'userId', i.user_id, 'fileName', i.file_name, 'options', i.options, 'fingerprint', i.fingerprint, 'seed', i.seed,
  'attempt', i.attempt, 'problem', i.problem, 'checkedRow', i.checked_row, 'storedRow', i.stored_row,
  'created', i.created, 'updated', i.updated, 'unchanged', i.unchanged,
  'state', case when i.state = 'running' and i.updated_at <= ${instant("$2")} then 'stopped' else i.state end,
  'startedAt', ${milliseconds("i.started_at")}, 'updatedAt', ${milliseconds("i.updated_at")}
)`

const statements = (client: PgClient["Service"]) => {
  return {
    begin: statement<StoredImport>(
      client,
      "SiteImportStore.begin",
      sql`with ${organisationRow}, expired as (
         delete from ${table("console_site_import")} t using organisation_row r
         where t.organisation_id = r.id and t.id <> $4::uuid and t.updated_at <= ${instant("$9")}
       ), i as (
         insert into ${table("console_site_import")} as t (
           organisation_id, id, user_id, file_name, fingerprint, seed, attempt, state, problem,
           checked_row, stored_row, created, updated, unchanged, started_at, updated_at, options
         )
         select r.id, $4::uuid, $5::uuid, $6::text, $7::text, $8::uuid, 1, 'running', null,
           0, 0, 0, 0, 0, ${instant("$3")}, ${instant("$3")}, $10::text::jsonb
         from organisation_row r
         where not exists (
           select from ${table("console_site_import")} x where x.organisation_id = $1::uuid and x.id <> $4::uuid
             and x.state = 'running' and x.updated_at > ${instant("$2")}
         )
         on conflict (organisation_id, id) do update
           set state = 'running', problem = null, attempt = t.attempt + 1, user_id = excluded.user_id,
             updated_at = excluded.updated_at
           where t.fingerprint = excluded.fingerprint
             and (t.state = 'failed' or (t.state = 'running' and t.updated_at <= ${instant("$2")}))
         returning *
       )
       ${mainQuery} select ${document}::text from i`,
      { owned: true }
    ),

    // A user who was deleted, may not write any more or is limited to fewer portfolios, an inactive organisation, and a later import
    // end the import. Two imports that begin at the same time do not see each other before.
    progress: statement<boolean>(
      client,
      "SiteImportStore.progress",
      sql`with i as (
         update ${table("console_site_import")} i
         set checked_row = $5::int, stored_row = $6::int, created = $7::int, updated = $8::int, unchanged = $9::int,
           updated_at = ${instant("$2")}
         where i.organisation_id = $1::uuid and i.id = $3::uuid and i.attempt = $4::int and i.state = 'running'
           and exists (
             select from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
             where u.organisation_id = $1::uuid and u.id = i.user_id and u.role <> 'viewer' and o.status = 'active'
               and (u.portfolio_ids is null or coalesce($11::text::uuid[] <@ u.portfolio_ids, false))
           )
           and not exists (
             select from ${table("console_site_import")} x where x.organisation_id = $1::uuid and x.state = 'running'
               and x.updated_at > ${instant("$10")} and (x.started_at, x.id) > (i.started_at, i.id)
           )
         returning i.id
       )
       ${mainQuery} select to_json(exists (select from i))::text`,
      { owned: true }
    ),

    finish: statement(
      client,
      "SiteImportStore.finish",
      sql`${mainChange} update ${table("console_site_import")} set state = $5::text, problem = $6::text, updated_at = ${instant("$2")}
       where organisation_id = $1::uuid and id = $3::uuid and attempt = $4::int and state = 'running'`,
      { owned: true }
    ),

    list: statement<ReadonlyArray<StoredImport>>(
      client,
      "SiteImportStore.list",
      sql`select coalesce(json_agg(${document} order by i.started_at desc, i.id), '[]')::text from (
         select * from ${table("console_site_import")}
         where organisation_id = $1::uuid and ($3::uuid is null or id = $3::uuid)
           and ($4::uuid is null or user_id = $4::uuid)
         order by started_at desc, id limit ${listed}
       ) i`,
      { owned: true, repeatable: true }
    )
  }
}

export class SiteImportStore extends Context.Service<
  SiteImportStore,
  {
    /**
     * Begins an import, or the next attempt of one that has ended without success. Null when it is
     * running or completed, when another content has its id, and while another import of the
     * organisation is running. Deletes records that are 30 days old.
     */
    readonly begin: (
      organisationId: OrganisationId,
      started: NewImport
    ) => Effect.Effect<StoredImport | null, RepositoryError>

    /**
     * False when the attempt must end: the user may not import any more, or not within these portfolios; or a later
     * attempt or a later import of the organisation has begun.
     */
    readonly progress: (
      organisationId: OrganisationId,
      attempt: Attempt,
      progress: Progress,
      portfolioIds: PortfolioLimit
    ) => Effect.Effect<boolean, RepositoryError>

    /** Without a problem the import is completed. No effect on another attempt. */
    readonly finish: (
      organisationId: OrganisationId,
      attempt: Attempt,
      problem: string | null
    ) => Effect.Effect<void, RepositoryError>

    /** The latest first, at most ten; with `id`, at most this one; with `userId`, those of the user. */
    readonly list: (
      organisationId: OrganisationId,
      of?: { readonly id?: string; readonly userId?: UserId | null }
    ) => Effect.Effect<ReadonlyArray<StoredImport>, RepositoryError>
  }
>()("@solar-sites/reference-server/SiteImportStore") {
  static readonly layer: Layer.Layer<SiteImportStore, never, PgClient> = Layer.effect(
    SiteImportStore,
    Effect.map(PgClient, (client) => {
      const sql = statements(client)
      const clock = Clock.currentTimeMillis
      return SiteImportStore.of({
        begin: (organisationId, { fileName, fingerprint, id, options, seed, userId }) =>
          Effect.flatMap(clock, (now) => {
            const values = [id, userId, fileName, fingerprint, seed, now - life, JSON.stringify(options)]
            return sql.begin(organisationId, now - silence, now, ...values)
          }),
        progress: (organisationId, { attempt, id }, { checkedRow, created, storedRow, unchanged, updated }, limit) =>
          Effect.flatMap(clock, (now) => {
            const portfolioIds = limit === null ? null : `{${limit.join(",")}}`
            const values = [
              id,
              attempt,
              checkedRow,
              storedRow,
              created,
              updated,
              unchanged,
              now - silence,
              portfolioIds
            ]
            return Effect.map(sql.progress(organisationId, now, ...values), (isRunning) => isRunning === true)
          }),
        finish: (organisationId, { attempt, id }, problem) =>
          Effect.flatMap(clock, (now) =>
            Effect.asVoid(
              sql.finish(organisationId, now, id, attempt, problem === null ? "completed" : "failed", problem)
            )
          ),
        list: (organisationId, { id = null, userId = null } = {}) =>
          Effect.flatMap(clock, (now) =>
            Effect.map(sql.list(organisationId, now - silence, id, userId), (found) => found ?? [])
          )
      })
    })
  )
}
