/**
 * Users and their names at OpenID providers. An identity stays when its user is deleted.
 */
import { PgClient, sql, table } from "@solar-sites/adapter-postgres"
import {
  IdGenerator,
  type OrganisationId,
  type OrganisationStatus,
  type Records,
  type RepositoryError,
  type UserId
} from "@solar-sites/core"
import { Context, DateTime, Effect, Layer } from "effect"
import { makeCommands } from "../Commands.ts"
import type { Role } from "../people/Role.ts"
import { loginOf, type User } from "../people/User.ts"
import { userKind } from "../people/UserKind.ts"
import { lookUp } from "../Statement.ts"
import { identityKind } from "./IdentityKind.ts"
import {
  createProviderUser,
  findsOfLinking,
  findsOfProviderUser,
  findsOfSubject,
  linkIdentity,
  releaseIdentity
} from "./LinkingRules.ts"

/** The provider's name of a user. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** A user that may be authenticated by an identity. */
export interface KnownUser {
  readonly user: {
    readonly id: UserId
    readonly organisationId: OrganisationId
    readonly email: string
    readonly role: Role
  }
  readonly passwordVersion: number
  readonly organisationStatus: OrganisationStatus
}

/** Stored facts about an identity and an e-mail address. */
export interface Acquaintance {
  readonly identity: { readonly known: KnownUser | null } | null
  /** `isLinked`: the user has another identity of this issuer. `isAllowed`: the domain is one of the organisation. */
  readonly sameEmail: (KnownUser & { readonly isAllowed: boolean; readonly isLinked: boolean }) | null
  /** The active organisation that has the domain. */
  readonly organisationOfDomain: OrganisationId | null
}

export interface Address {
  readonly email: string
  readonly domain: string
}

const statements = (client: PgClient["Service"]) => {
  const known = `'user', json_build_object('id', u.id, 'organisationId', u.organisation_id, 'email', u.email, 'role', u.role),
    'passwordVersion', u.password_version, 'organisationStatus', o.status`
  return {
    find: lookUp<Acquaintance>(
      client,
      "IdentityStore.find",
      sql`select json_build_object(
         'identity', (
           select json_build_object('known', (
             select json_build_object(${known})
             from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
             where u.organisation_id = i.organisation_id and u.id = i.user_id
           ))
           from ${table("console_identity")} i where i.issuer = $1::text and i.subject = $2::text
         ),
         'sameEmail', (
           select json_build_object(${known},
             'isAllowed', exists (
               select from ${table("console_login_domain")} d where d.organisation_id = u.organisation_id and d.domain = $4::text
             ),
             'isLinked', exists (
               select from ${table("console_identity")} i
               where i.organisation_id = u.organisation_id and i.user_id = u.id and i.issuer = $1::text
             )
           )
           from ${table("console_user")} u join ${table("organisation")} o on o.id = u.organisation_id
           where u.login = $3::text
         ),
         'organisationOfDomain', (
           select o.id from ${table("console_login_domain")} d
           join ${table("organisation")} o on o.id = d.organisation_id and o.status = 'active'
           where d.domain = $4::text
         )
       )::text`
    ),

    findOwner: lookUp<OrganisationId>(
      client,
      "IdentityStore.findOwner",
      sql`select to_json(i.organisation_id)::text from ${table("console_identity")} i
       where i.issuer = $1::text and i.subject = $2::text`
    )
  }
}

export class IdentityStore extends Context.Service<
  IdentityStore,
  {
    /** Without a verified address, only the identity is looked up. */
    readonly find: (identity: Identity, address: Address | undefined) => Effect.Effect<Acquaintance, RepositoryError>

    /**
     * Links the identity to a user of an organisation that has the domain. False if this does not
     * hold any more, or if identity or user are linked already. Takes the identity of a deleted
     * user over. Removes the password of the user and ends its sessions: another person may have
     * created the account.
     */
    readonly link: (
      user: KnownUser["user"],
      identity: Identity,
      domain: string,
      now: number
    ) => Effect.Effect<boolean, RepositoryError>

    /**
     * Inserts a user without password and its identity. False if the organisation is inactive, does
     * not have the domain any more or has no owner, or if address or identity exist.
     */
    readonly create: (user: User, identity: Identity, domain: string) => Effect.Effect<boolean, RepositoryError>
  }
>()("@solar-sites/reference-server/IdentityStore") {
  static readonly layer: Layer.Layer<IdentityStore, never, PgClient | Records> = Layer.effect(
    IdentityStore,
    Effect.gen(function* () {
      const sql = statements(yield* PgClient)
      const { decide } = yield* makeCommands
      const nextId = yield* IdGenerator

      /** Removes the identity of a deleted user of another organisation. */
      const release = Effect.fnUntraced(function* ({ issuer, subject }: Identity) {
        const organisationId = yield* sql.findOwner(issuer, subject)
        if (organisationId === null) return true
        return yield* decide({
          operation: "IdentityStore.release",
          organisationId,
          of: { kind: identityKind, id: subject },
          finds: findsOfSubject(subject),
          rule: releaseIdentity(issuer, subject)
        })
      })

      const link: IdentityStore["Service"]["link"] = Effect.fnUntraced(function* (
        { id: userId, organisationId },
        { issuer, subject },
        domain,
        now
      ) {
        const createdAt = DateTime.makeUnsafe(now)
        const linking = { id: yield* nextId, organisationId, userId, issuer, subject, createdAt, domain }
        const linkOnce = decide({
          operation: "IdentityStore.link",
          organisationId,
          of: { kind: userKind, id: userId },
          finds: findsOfLinking(linking),
          rule: linkIdentity(linking)
        })
        const outcome = yield* linkOnce
        if (outcome !== "taken") return outcome
        return (yield* release({ issuer, subject })) && (yield* linkOnce) === true
      })

      return IdentityStore.of({
        find: ({ issuer, subject }, address) =>
          Effect.map(
            sql.find(issuer, subject, address === undefined ? "" : loginOf(address.email), address?.domain ?? ""),
            (found) => found ?? { identity: null, sameEmail: null, organisationOfDomain: null }
          ),
        link,
        create: Effect.fnUntraced(function* (user, { issuer, subject }, domain) {
          const created = { user, identity: { id: yield* nextId, issuer, subject }, domain }
          return yield* decide({
            operation: "IdentityStore.create",
            organisationId: user.organisationId,
            of: { kind: identityKind, id: subject },
            finds: findsOfProviderUser(user.organisationId, created),
            rule: createProviderUser(created)
          })
        })
      })
    })
  )
}
