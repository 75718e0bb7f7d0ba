/** Meaning of the claims that an OpenID provider makes about a user. */
import { Option } from "effect"
import type { OpenIdSettings } from "../../configuration/LoginSettings.ts"
import { Role } from "../people/Role.ts"

export type Claims = Readonly<Record<string, unknown>>

/** A user as the provider has authenticated it. `issuer` and `subject` identify it. */
export interface ProvenUser {
  readonly issuer: string
  readonly subject: string
  /** None if the provider has not verified it. */
  readonly email: Option.Option<string>
  readonly name: Option.Option<string>
  /** None if the console sets the roles. */
  readonly role: Option.Option<Role>
  /** Ids or external ids of portfolios, malformed and unknown ones too. None if the console limits users. */
  readonly portfolios: Option.Option<ReadonlyArray<string>>
}

const textOf = (value: unknown): Option.Option<string> =>
  typeof value === "string" && value !== "" ? Option.some(value) : Option.none()

/**
 * Some providers send booleans as text. Entra ID has no `email_verified`: `xms_edov` says that the
 * tenant owns the domain of the address.
 */
const isVerified = (claims: Claims, issuer: string): boolean =>
  issuer.startsWith("https://login.microsoftonline.com/") && claims["email_verified"] === undefined
    ? ["true", "1"].includes(String(claims["xms_edov"]))
    : String(claims["email_verified"]) === "true"

/** The highest role of the values, else the default. */
const roleOf = (value: unknown, { defaultRole, roleMap }: OpenIdSettings): Role => {
  const values = new Set<unknown>(Array.isArray(value) ? value : [value])
  const pairs = Option.getOrElse(roleMap, () => Role.literals.map((role) => [role, role] as const))
  const roles = new Set(pairs.filter(([named]) => values.has(named)).map(([, role]) => role))
  // The literals are in descending order.
  return Role.literals.find((role) => roles.has(role)) ?? defaultRole
}

/** Texts of the claim; none of them when it holds anything else, or more than 1,000. */
const portfoliosOf = (value: unknown): ReadonlyArray<string> => {
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  const texts = values.filter((one) => typeof one === "string")
  return texts.length === values.length && texts.length <= 1_000 ? texts : []
}

/** True if the ID token has all that is needed; providers may send the rest as user info. */
export const isComplete = (claims: Claims, { portfolioClaim, roleClaim }: OpenIdSettings): boolean =>
  claims["email"] !== undefined &&
  [roleClaim, portfolioClaim].every((claim) => !Option.exists(claim, (name) => claims[name] === undefined))

/** `info` is the user info of the same subject; the ID token takes precedence. */
export const provenUser = (
  token: Claims & { readonly iss: string; readonly sub: string },
  info: Claims,
  settings: OpenIdSettings
): ProvenUser => {
  // The address and its verification come from the same source.
  const source = token["email"] === undefined ? info : token
  return {
    issuer: token.iss,
    subject: token.sub,
    email: Option.filter(textOf(source["email"]), () => isVerified(source, token.iss)),
    name: textOf(token["name"] ?? info["name"]),
    role: Option.map(settings.roleClaim, (name) => roleOf(token[name] ?? info[name], settings)),
    portfolios: Option.map(settings.portfolioClaim, (name) => portfoliosOf(token[name] ?? info[name]))
  }
}
