/** Users of the provider: finds, links or creates the user of an identity, and applies its role and limit. */
import { PgClient } from "@solar-sites/adapter-postgres"
import {
  ExternalId,
  IdGenerator,
  Name,
  type OrganisationId,
  PortfolioId,
  portfolioKind,
  type RepositoryError,
  UserId
} from "@solar-sites/core"
import { Data, DateTime, Effect, Option, Schema } from "effect"
import { type Commands, find as finding, makeCommands } from "../Commands.ts"
import { operatorOf } from "../people/Authority.ts"
import type { Role } from "../people/Role.ts"
import { User, type UserIds } from "../people/User.ts"
import { userChanges } from "../people/Users.ts"
import { identityLookUps } from "./IdentityLookUps.ts"
import { type Address, addressOf, decide as decideLogin, type Identity, type KnownUser } from "./IdentityRules.ts"
import { createProviderUser, linkIdentity, releaseIdentity } from "./LinkingRules.ts"
import type { ProvenUser } from "./OpenIdClaims.ts"

const attempts = 3

/**
 * `expired`: not begun in this browser, 10 minutes ago, or finished already. `denied` by the user or
 * the provider. `failed`: an invalid response. `not_allowed`: no organisation has this user.
 */
export class ProviderLoginRefused extends Data.TaggedError("ProviderLoginRefused")<{
  readonly problem: "expired" | "denied" | "failed" | "not_allowed"
  readonly reason: string
}> {}

export const notAllowed = (reason: string) => new ProviderLoginRefused({ problem: "not_allowed", reason })

const isName = Schema.is(Name)

/** As many as an admin may give. */
const mostPortfolios = 50

const idOf = Schema.decodeOption(PortfolioId)
const externalIdOf = Schema.decodeOption(ExternalId)

/**
 * The portfolios of the organisation that the texts of a claim name by id or external id, in the order of their ids.
 * Unknown ones are left out. A claim that names more than 50 limits to none: a part of them would be chosen by chance.
 */
const claimedPortfolios = (
  load: Commands["load"],
  organisationId: OrganisationId,
  texts: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<PortfolioId>, RepositoryError> => {
  const ids = [...new Set(texts.flatMap((text) => Option.toArray(idOf(text))))]
  const externalIds = [...new Set(texts.flatMap((text) => Option.toArray(externalIdOf(text))))]
  const finds = [
    ...(ids.length === 0 ? [] : [finding(portfolioKind, "id", ...ids)]),
    ...(externalIds.length === 0 ? [] : [finding(portfolioKind, "externalId", ...externalIds)])
  ]
  if (finds.length === 0) return Effect.succeed([])
  return Effect.map(load("ProviderUsers.portfolios", organisationId, finds), (found) => {
    const byId = ids.flatMap((id) => found.byId(portfolioKind, id)?.record.id ?? [])
    const byExternalId = externalIds.flatMap((text) => found.by(portfolioKind, "externalId", text)?.record.id ?? [])
    const portfolioIds = [...new Set([...byId, ...byExternalId])].toSorted()
    return portfolioIds.length > mostPortfolios ? [] : portfolioIds
  })
}

/** `defaultRole` is the role of new users. */
export const providerUsers = (defaultRole: Role) =>
  Effect.gen(function* () {
    const { find, findOwner } = identityLookUps(yield* PgClient)
    const { decide, load } = yield* makeCommands
    const changes = yield* userChanges
    const nextId = yield* IdGenerator

    /** The limit by the claim. Owners have none. */
    const limitOf = (organisationId: OrganisationId, role: Role, portfolios: ReadonlyArray<string>) =>
      role === "owner" ? Effect.succeed(null) : claimedPortfolios(load, organisationId, portfolios)

    const create = Effect.fnUntraced(function* (
      { issuer, name, portfolios, role: claimed, subject }: ProvenUser,
      organisationId: OrganisationId,
      { domain, email }: Address
    ) {
      const role = Option.getOrElse(claimed, () => defaultRole)
      const user = new User({
        id: UserId.make(yield* nextId),
        organisationId,
        email,
        name: [...Option.toArray(name), email.slice(0, email.lastIndexOf("@"))].find(isName) ?? "User",
        role,
        createdAt: yield* DateTime.now,
        portfolioIds: Option.isNone(portfolios) ? null : yield* limitOf(organisationId, role, portfolios.value)
      })
      return yield* decide(createProviderUser(user, { id: yield* nextId, issuer, subject }, domain))
    })

    /** Removes the identity of a deleted user of another organisation. */
    const release = Effect.fnUntraced(function* (identity: Identity) {
      const organisationId = yield* findOwner(identity)
      return organisationId === null || (yield* decide(releaseIdentity(organisationId, identity)))
    })

    const link = Effect.fnUntraced(function* (
      { id: userId, organisationId }: UserIds,
      { issuer, subject }: Identity,
      domain: string
    ) {
      const createdAt = yield* DateTime.now
      const linking = { id: yield* nextId, organisationId, userId, issuer, subject, createdAt }
      const linkOnce = decide(linkIdentity(linking, domain))
      const outcome = yield* linkOnce
      if (outcome !== "taken") return outcome
      return (yield* release({ issuer, subject })) && (yield* linkOnce) === true
    })

    /** A change is followed by a look-up, so that concurrent logins agree. */
    const known = Effect.fnUntraced(function* (proven: ProvenUser) {
      const address = addressOf(proven)
      for (let attempt = 0; attempt < attempts; attempt++) {
        const decision = decideLogin(yield* find(proven, address), address)
        if (decision.to === "refuse") return yield* notAllowed(decision.reason)
        if (decision.to === "open") return decision.known
        if (decision.to === "create") yield* create(proven, decision.organisationId, decision.address)
        else yield* link(decision.known.user, proven, address?.domain ?? "")
      }
      return yield* notAllowed("the user could not be stored")
    })

    /** Role and limit by the claims, of those that are set. A user that stays an owner keeps both. */
    const claimedAccess = Effect.fnUntraced(function* ({ user }: KnownUser, { portfolios, role: claimed }: ProvenUser) {
      const role = Option.getOrElse(claimed, () => user.role)
      const access = role === user.role ? {} : { role }
      if (Option.isNone(portfolios) || (role === "owner" && user.role === "owner")) return access
      return { ...access, portfolioIds: yield* limitOf(user.organisationId, role, portfolios.value) }
    })

    /** The provider decides about role and limit together, except that the last owner stays an unlimited owner. */
    const applyClaims = Effect.fnUntraced(
      function* (known: KnownUser, proven: ProvenUser) {
        const access = yield* claimedAccess(known, proven)
        if (Object.keys(access).length === 0) return
        yield* changes.update(known.user.id, access, operatorOf(known.user.organisationId))
      },
      (applying, { user: { id: userId } }) =>
        applying.pipe(
          // A portfolio has been deleted between look-up and change.
          Effect.retry({ times: attempts, while: ({ _tag }) => _tag === "PortfoliosNotFound" }),
          Effect.catchTags({
            LastOwner: () => Effect.annotateLogs(Effect.logWarning("last owner keeps its role"), { userId }),
            UserNotFound: () => Effect.fail(notAllowed("the user is deleted")),
            OwnerLimited: () => Effect.annotateLogs(Effect.logWarning("limited user keeps its role"), { userId }),
            PortfoliosNotFound: () => Effect.fail(notAllowed("the portfolios of the user have just changed")),
            CallerLimited: Effect.die,
            RoleInsufficient: Effect.die
          })
        )
    )

    return {
      create,
      link,
      /** The user of an identity, with the role that the provider gives it. The first login links or creates the user. */
      resolve: (proven: ProvenUser) => Effect.tap(known(proven), (user) => applyClaims(user, proven))
    }
  })
