/**
 * Second factors in the table `console_second_factor`. Switching one on or off counts as a change of
 * the password: a login that is under way with the old state creates no session.
 */
import { mainQuery, PgClient, PgEventLog, type PgText, sql, table } from "@solar-sites/adapter-postgres"
import type { OrganisationId, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { Role } from "../people/Role.ts"
import type { User } from "../people/User.ts"
import { about, changed, columns, toUser, type UserRow } from "../people/UserRow.ts"
import { bytes, instant, milliseconds, organisationRow, statement } from "../Statement.ts"

export type FactorOwner = Pick<User, "id" | "organisationId">

/** State of a user. `secret` is null without a factor, `enabledAt` (milliseconds) until it is active. */
export interface StoredFactor {
  readonly email: string
  readonly role: Role
  readonly passwordVersion: number
  readonly hasPassword: boolean
  readonly isRequired: boolean
  readonly secret: string | null
  readonly enabledAt: number | null
  readonly recoveryCodesLeft: number
}

/** `keptSession` is the digest of the session that stays; all others of the user end. */
export interface FactorChange {
  readonly keptSession: string | null
}

/** `secret` and `recoveryCodes` are hexadecimal; `step` is that of the confirming code. */
export interface EnabledFactor extends FactorChange {
  readonly secret: string
  readonly step: number
  readonly recoveryCodes: ReadonlyArray<string>
  readonly now: number
}

const digests = (parameter: string) =>
  `(select array_agg(decode(code, 'hex')) from json_array_elements_text(${parameter}::text::json) code)`

/** Condition on the factor `f`, of the locked user. */
const owned = "f.organisation_id = $1::uuid and f.user_id = locked.id"

const updated = (from: PgText | string, change: string) => ({ type: "user.updated", from, ...about(change) }) as const

const statements = (client: PgClient["Service"]) => {
  const user = table("console_user")
  const factor = table("console_second_factor")
  const session = table("console_session")
  const origin = (parameter: string) => PgEventLog.originFrom(parameter, "o")

  // The user is locked before its factor and the sequence of events, as its deletion does.
  const locked = sql`${organisationRow}, locked as materialized (
    select u.id, u.role from ${user} u join organisation_row r on r.id = u.organisation_id
    where u.id = $2::uuid for update of u
  )`
  /** Expressions after `f`, the changed factor. */
  const switched = (kept: string, originParameter: string, from: boolean) => sql`
    u as (
      update ${user} u set password_version = u.password_version + 1 from f
      where u.organisation_id = $1::uuid and u.id = f.user_id
      returning u.*
    ), kept as (
      update ${session} s set password_version = u.password_version from u
      where s.organisation_id = $1::uuid and s.user_id = u.id and s.digest = ${bytes(kept)}
      returning s.digest
    ), ended as (
      delete from ${session} s using u
      where s.organisation_id = $1::uuid and s.user_id = u.id and s.digest is distinct from ${bytes(kept)}
      returning s.digest
    ), ${PgEventLog.writeEvents(
      updated(
        `u cross join (select count(*) from kept) k cross join (select count(*) from ended) e
         cross join ${origin(originParameter)}`,
        changed("secondFactor", String(from), String(!from))
      )
    )}
    ${mainQuery} select to_json(x)::text, ${PgEventLog.writtenTypes} from (select ${columns("u")} from u) x`

  return {
    find: statement<StoredFactor>(
      client,
      "SecondFactorStore.find",
      sql`select json_build_object(
         'email', u.email,
         'role', u.role,
         'passwordVersion', u.password_version,
         'hasPassword', u.password_hash is not null,
         'isRequired', coalesce(g.require_second_factor, false),
         'secret', encode(f.secret, 'hex'),
         'enabledAt', ${milliseconds("f.enabled_at")},
         'recoveryCodesLeft', coalesce(cardinality(f.recovery_codes), 0)
       )::text
       from ${user} u
       left join ${factor} f on f.organisation_id = u.organisation_id and f.user_id = u.id
       left join ${table("console_organisation")} g on g.organisation_id = u.organisation_id
       where u.organisation_id = $1::uuid and u.id = $2::uuid`,
      { repeatable: true }
    ),

    begin: statement<boolean>(
      client,
      "SecondFactorStore.begin",
      sql`insert into ${factor} as f (organisation_id, user_id, secret)
       select u.organisation_id, u.id, ${bytes("$3")} from ${user} u
       where u.organisation_id = $1::uuid and u.id = $2::uuid
       for key share of u
       on conflict (organisation_id, user_id) do update set secret = excluded.secret where f.enabled_at is null
       returning to_json(true)::text`
    ),

    enabledIn: statement<ReadonlyArray<UserId>>(
      client,
      "SecondFactorStore.enabledIn",
      sql`select coalesce(json_agg(f.user_id), '[]')::text from ${factor} f
       where f.organisation_id = $1::uuid and f.enabled_at is not null`,
      { repeatable: true }
    ),

    enable: statement<UserRow>(
      client,
      "SecondFactorStore.enable",
      sql`with ${locked}, f as (
         update ${factor} f set enabled_at = ${instant("$4")}, last_step = $5::bigint, recovery_codes = ${digests("$6")}
         from locked where ${owned} and f.enabled_at is null and f.secret = ${bytes("$3")}
         returning f.user_id
       ), ${switched("$7", "$8", false)}`,
      { owned: true }
    ),

    disable: statement<UserRow>(
      client,
      "SecondFactorStore.disable",
      sql`with ${locked}, f as (
         delete from ${factor} f using locked
         where ${owned} and f.enabled_at is not null and locked.role = any ($5::text::text[])
         returning f.user_id
       ), ${switched("$3", "$4", true)}`,
      { owned: true }
    ),

    useStep: statement<boolean>(
      client,
      "SecondFactorStore.useStep",
      sql`update ${factor} set last_step = $3::bigint
       where organisation_id = $1::uuid and user_id = $2::uuid and enabled_at is not null and last_step < $3::bigint
       returning to_json(true)::text`
    ),

    useRecoveryCode: statement<boolean>(
      client,
      "SecondFactorStore.useRecoveryCode",
      sql`with ${locked}, f as (
         update ${factor} f set recovery_codes = array_remove(f.recovery_codes, ${bytes("$3")})
         from locked where ${owned} and f.enabled_at is not null and ${bytes("$3")} = any (f.recovery_codes)
         returning f.user_id, cardinality(f.recovery_codes) as codes
       ), ${PgEventLog.writeEvents(
         updated(
           sql`f join ${user} u on u.organisation_id = $1::uuid and u.id = f.user_id cross join ${origin("$4")}`,
           changed("recoveryCodesLeft", "f.codes + 1", "f.codes")
         )
       )}
       ${mainQuery} select to_json(true)::text, ${PgEventLog.writtenTypes} from f`,
      { owned: true }
    ),

    renewRecoveryCodes: statement<boolean>(
      client,
      "SecondFactorStore.renewRecoveryCodes",
      sql`with ${locked}, f as (
         update ${factor} f set recovery_codes = ${digests("$3")}
         from locked where ${owned} and f.enabled_at is not null
         returning f.user_id
       ), ${PgEventLog.writeEvents(
         updated(
           sql`f join ${user} u on u.organisation_id = $1::uuid and u.id = f.user_id cross join ${origin("$4")}`,
           changed("recoveryCodes", "null", "null")
         )
       )}
       ${mainQuery} select to_json(true)::text, ${PgEventLog.writtenTypes} from f`,
      { owned: true }
    )
  }
}

type Outcome = Effect.Effect<boolean, RepositoryError>

/** Every method is one statement. Changes return false when they change nothing. */
export class SecondFactorStore extends Context.Service<
  SecondFactorStore,
  {
    /** None for an unknown user. */
    readonly find: (owner: FactorOwner) => Effect.Effect<Option.Option<StoredFactor>, RepositoryError>
    /** The users with an active factor. */
    readonly enabledIn: (organisationId: OrganisationId) => Effect.Effect<ReadonlySet<UserId>, RepositoryError>
    /** Stores a secret that is not active yet, in place of an earlier one. False with an active factor. */
    readonly begin: (owner: FactorOwner, secret: string) => Outcome
    /** False when the secret has been replaced or is active already. */
    readonly enable: (owner: FactorOwner, factor: EnabledFactor) => Outcome
    /** None without an active factor, and for a user with none of `roles` (default: all). */
    readonly disable: (
      owner: FactorOwner,
      change: FactorChange & { readonly roles?: ReadonlyArray<Role> }
    ) => Effect.Effect<Option.Option<User>, RepositoryError>
    /** False for a step that is not after the last used one: of two concurrent uses one succeeds. */
    readonly useStep: (owner: FactorOwner, step: number) => Outcome
    /** False for an unknown or used code. */
    readonly useRecoveryCode: (owner: FactorOwner, digest: string) => Outcome
    readonly renewRecoveryCodes: (owner: FactorOwner, digests: ReadonlyArray<string>) => Outcome
  }
>()("@solar-sites/reference-server/SecondFactorStore") {
  static readonly layer: Layer.Layer<SecondFactorStore, never, PgClient> = Layer.effect(
    SecondFactorStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const originOf = yield* PgEventLog.originParameters
      const isTrue = Effect.map((answer: boolean | null) => answer === true)

      return SecondFactorStore.of({
        find: ({ id, organisationId }) => Effect.map(sql.find(organisationId, id), Option.fromNullOr),
        enabledIn: (organisationId) => Effect.map(sql.enabledIn(organisationId), (ids) => new Set(ids)),
        begin: ({ id, organisationId }, secret) => isTrue(sql.begin(organisationId, id, secret)),
        enable: Effect.fnUntraced(function* (owner, { keptSession, now, recoveryCodes, secret, step }) {
          const { id, organisationId } = owner
          const values = [secret, now, step, JSON.stringify(recoveryCodes), keptSession]
          return (yield* sql.enable(organisationId, id, ...values, yield* originOf(organisationId))) !== null
        }),
        disable: Effect.fnUntraced(function* ({ id, organisationId }, { keptSession, roles = Role.literals }) {
          const origin = yield* originOf(organisationId)
          const row = yield* sql.disable(organisationId, id, keptSession, origin, `{${roles.join()}}`)
          return Option.map(Option.fromNullOr(row), toUser)
        }),
        useStep: ({ id, organisationId }, step) => isTrue(sql.useStep(organisationId, id, step)),
        useRecoveryCode: Effect.fnUntraced(function* ({ id, organisationId }, digest) {
          return yield* isTrue(sql.useRecoveryCode(organisationId, id, digest, yield* originOf(organisationId)))
        }),
        renewRecoveryCodes: Effect.fnUntraced(function* ({ id, organisationId }, digests) {
          const codes = JSON.stringify(digests)
          return yield* isTrue(sql.renewRecoveryCodes(organisationId, id, codes, yield* originOf(organisationId)))
        })
      })
    })
  )
}
