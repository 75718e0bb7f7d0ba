/** Choices of users about the digest, and which digests were sent. */
import { mainChange, mainQuery, PgClient, type PgText, sql, statement, table } from "@solar-sites/adapter-postgres"
import type { CalendarDate, OrganisationId, PortfolioLimit, UserId } from "@solar-sites/core"
import { Effect } from "effect"
import { bytes, instant, milliseconds } from "../accounts/SqlValues.ts"
import type { DigestChoice } from "./DigestChoice.ts"
import { type DueDays, retryPeriod } from "./DigestSchedule.ts"

/** A digest of one user, which no other server sends. */
export interface ClaimedDigest {
  readonly userId: UserId
  readonly email: string
  readonly name: string
  /** Language of the last login. */
  readonly language: string | null
  readonly choice: Exclude<DigestChoice, "none">
  readonly dueDay: CalendarDate
  /** The first attempt, in milliseconds. */
  readonly startedAt: number
  readonly isActive: boolean
  readonly hasPassword: boolean
  /** The digest tells of these portfolios alone. */
  readonly portfolioIds: PortfolioLimit
  /** Hexadecimal digits of the key that signs the link to end the digests. */
  readonly linkKey: string
}

/** A user with a choice from before the due hour, and without a digest of that day. */
const due = (day: string, at: string): string =>
  `(u.digest_since < ${instant(at)} and coalesce(d.due_day < ${day}::date, true))`

/** The latest due days as parameters; null without one. */
interface Days<Value> {
  readonly daily: Value
  readonly dailyAt: Value
  readonly weekly: Value
  readonly weeklyAt: Value
}

const isDue = ({ daily, dailyAt, weekly, weeklyAt }: Days<string>): string =>
  `((u.digest = 'daily' and ${due(daily, dailyAt)}) or (u.digest = 'weekly' and ${due(weekly, weeklyAt)}))`

const isRetried = (now: string): string =>
  `(d.retry_at <= ${instant(now)} and d.started_at > ${instant(now)} - interval '${retryPeriod} milliseconds')`

const users: PgText = sql`${table("console_user")} u
  left join ${table("console_digest")} d on d.organisation_id = u.organisation_id and d.user_id = u.id`

interface PageValues {
  readonly after: string
  readonly limit: number
}

const organisations = ({ after, limit }: Record<keyof PageValues, string>, condition: string): PgText => sql`
  select coalesce(json_agg(x.organisation_id order by x.organisation_id), '[]')::text from (
    select distinct u.organisation_id from ${users}
    where u.digest <> 'none' and u.organisation_id > ${after}::uuid and ${condition}
    order by u.organisation_id limit ${limit}::int
  ) x`

interface OneUser {
  readonly organisationId: OrganisationId
  readonly userId: UserId
}

type DayValues = Days<string | number | null>

interface OrganisationPage {
  readonly after: OrganisationId | null
  readonly limit: number
}

const lowest = "00000000-0000-0000-0000-000000000000"

const valuesOf = ({ daily, weekly }: DueDays): DayValues => ({
  daily: daily?.day ?? null,
  dailyAt: daily?.at ?? null,
  weekly: weekly?.day ?? null,
  weeklyAt: weekly?.at ?? null
})

const statements = (client: PgClient["Service"]) => ({
  choiceOf: statement<DigestChoice, OneUser>(
    client,
    "DigestStore.choiceOf",
    ({ organisationId, userId }) => sql`select to_json(u.digest)::text from ${table("console_user")} u
     where u.organisation_id = ${organisationId}::uuid and u.id = ${userId}::uuid`,
    { repeatable: true }
  ),

  findDue: statement<ReadonlyArray<OrganisationId>, PageValues & DayValues>(
    client,
    "DigestStore.findDue",
    (places) => organisations(places, isDue(places)),
    { across: true }
  ),

  findRetried: statement<ReadonlyArray<OrganisationId>, PageValues & { now: number }>(
    client,
    "DigestStore.findRetried",
    (places) => organisations(places, isRetried(places.now)),
    { across: true }
  ),

  // A digest that another server has claimed meanwhile fails the condition of the update, which reads the row anew.
  claim: statement<
    ClaimedDigest,
    DayValues & { readonly organisationId: OrganisationId; readonly now: number; readonly linkKey: string }
  >(client, "DigestStore.claim", ({ daily, dailyAt, linkKey, now, organisationId, weekly, weeklyAt }) => {
    const isDueNow = isDue({ daily, dailyAt, weekly, weeklyAt })
    return sql`with candidate as materialized (
       select u.organisation_id, u.id, u.email, u.name, u.language, u.digest, u.portfolio_ids,
         u.password_hash is not null as has_password,
         case when not ${isDueNow} then d.due_day
           when u.digest = 'daily' then ${daily}::date else ${weekly}::date end as due_day
       from ${users}
       where u.organisation_id = ${organisationId}::uuid and u.digest <> 'none'
         and (${isDueNow} or ${isRetried(now)})
       order by d.retry_at nulls first, u.id limit 1
       for no key update of u skip locked
     ), claimed as (
       insert into ${table("console_digest")} as d (organisation_id, user_id, due_day, started_at, link_key)
       select c.organisation_id, c.id, c.due_day, ${instant(now)}, ${bytes(linkKey)} from candidate c
       on conflict (organisation_id, user_id) do update set
         due_day = excluded.due_day,
         started_at = case when d.due_day = excluded.due_day then d.started_at else excluded.started_at end,
         retry_at = null
       where d.due_day < excluded.due_day or (d.due_day = excluded.due_day and d.retry_at <= ${instant(now)})
       returning *
     )
     ${mainQuery} select json_build_object(
       'userId', c.id, 'email', c.email, 'name', c.name, 'language', c.language, 'choice', c.digest, 'dueDay', d.due_day,
       'startedAt', ${milliseconds("d.started_at")}, 'hasPassword', c.has_password,
       'portfolioIds', c.portfolio_ids,
       'isActive', exists (select from ${table("organisation")} o where o.id = ${organisationId}::uuid and o.status = 'active'),
       'linkKey', encode(d.link_key, 'hex')
     )::text from claimed d join candidate c on c.id = d.user_id`
  }),

  retryAt: statement<never, OneUser & { readonly dueDay: CalendarDate; readonly at: number }>(
    client,
    "DigestStore.retryAt",
    ({ at, dueDay, organisationId, userId }) => sql`${mainChange}
     update ${table("console_digest")} set retry_at = ${instant(at)}
     where organisation_id = ${organisationId}::uuid and user_id = ${userId}::uuid and due_day = ${dueDay}::date`,
    { repeatable: true }
  ),

  linkKey: statement<string, OneUser>(
    client,
    "DigestStore.linkKey",
    ({ organisationId, userId }) => sql`select to_json(encode(d.link_key, 'hex'))::text
     from ${table("console_digest")} d
     where d.organisation_id = ${organisationId}::uuid and d.user_id = ${userId}::uuid`,
    { repeatable: true }
  )
})

export const digestStore = Effect.map(PgClient, (client) => {
  const sql = statements(client)
  return {
    /** Null if the user is deleted. */
    choiceOf: sql.choiceOf,

    /** Organisations with users who have no digest yet, in ascending order of id. */
    findDue: (days: DueDays, { after, limit }: OrganisationPage) =>
      Effect.map(sql.findDue({ limit, after: after ?? lowest, ...valuesOf(days) }), (found) => found ?? []),

    /** Organisations with failed digests that are tried again now, in ascending order of id. */
    findRetried: (now: number, { after, limit }: OrganisationPage) =>
      Effect.map(sql.findRetried({ limit, after: after ?? lowest, now }), (found) => found ?? []),

    /**
     * Records the digest of one user as sent. The caller sends it, or names the next attempt after a failure. New
     * ones come before failed ones. Null when nothing is left, or another server has claimed it. `linkKey` is
     * that of a user without one.
     */
    claim: (
      organisationId: OrganisationId,
      days: DueDays,
      options: { readonly now: number; readonly linkKey: string }
    ) => sql.claim({ organisationId, ...valuesOf(days), ...options }),

    /** A claimed digest has failed, and is tried again at this instant. */
    retryAt: (
      organisationId: OrganisationId,
      { dueDay, userId }: Pick<ClaimedDigest, "userId" | "dueDay">,
      at: number
    ) => sql.retryAt({ organisationId, userId, dueDay, at }),

    /** Null for a user that is deleted or never had a digest. */
    linkKey: sql.linkKey
  }
})
