/** Rules of logins by OpenID Connect: which user an identity of the provider belongs to. */
import type { OrganisationId, OrganisationStatus } from "@solar-sites/core"
import { Option } from "effect"
import { isEmail, type User } from "../people/User.ts"
import { domainOf } from "./LoginDomains.ts"
import type { ProvenUser } from "./OpenIdClaims.ts"

/** The provider's name of a user. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** A user that may be authenticated by an identity. */
export interface KnownUser {
  readonly user: Pick<User, "id" | "organisationId" | "email" | "role">
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

export type Address = Readonly<Record<"email" | "domain", string>>

const refuse = (reason: string): Decision => ({ to: "refuse", reason })

/** Only the case of ASCII letters is ignored: other letters that look alike are other users. */
const folded = (email: string): string => email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Compatibility forms of letters are refused: users who exist would have the same login. */
const isUsable = (email: string): boolean => isEmail(email) && email.normalize("NFKC").trim() === email

/** The address, if the provider has verified it. */
export const addressOf = ({ email }: ProvenUser): Address | undefined =>
  Option.getOrUndefined(Option.map(Option.filter(email, isUsable), (email) => ({ email, domain: domainOf(email) })))

/** `open`: the user is known by the identity. `reason` is for the log. */
export type Decision =
  | { readonly to: "refuse"; readonly reason: string }
  | { readonly to: "open" | "link"; readonly known: KnownUser }
  | { readonly to: "create"; readonly organisationId: OrganisationId; readonly address: Address }

const linkable = (known: NonNullable<Acquaintance["sameEmail"]>, { email }: Address): Decision => {
  if (known.organisationStatus !== "active") return refuse("the organisation is inactive")
  if (!known.isAllowed) return refuse("the organisation of the user does not have the domain")
  if (known.isLinked) return refuse("the user is linked to another identity")
  if (folded(known.user.email) !== folded(email)) return refuse("the address only resembles that of a user")
  return { to: "link", known }
}

/** Decides what a login of an identity with a verified address does. */
export const decide = (
  { identity, organisationOfDomain, sameEmail }: Acquaintance,
  address: Address | undefined
): Decision => {
  const known = identity?.known ?? null
  if (known !== null) {
    return known.organisationStatus === "active" ? { to: "open", known } : refuse("the organisation is inactive")
  }
  if (address === undefined) return refuse("no e-mail address that the provider has verified")
  if (sameEmail !== null) return linkable(sameEmail, address)
  if (identity !== null) return refuse("the user is deleted")
  if (organisationOfDomain === null) return refuse("no active organisation has the domain")
  return { to: "create", organisationId: organisationOfDomain, address }
}
