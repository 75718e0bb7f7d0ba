/** Settings of logins to the console: by password, and by OpenID Connect. */
import { settings } from "@solar-sites/adapter-filesystem/settings"
import { Flag, isHttpAddress, textThat } from "@solar-sites/core/options"
import { Config, Option, Schema, SchemaTransformation } from "effect"
import { Role } from "../accounts/people/Role.ts"
import { isLoopbackName, PlainLine } from "./SettingSchemas.ts"

const isIssuer = (text: string): boolean => {
  if (!isHttpAddress(text)) return false
  const { hostname, protocol } = new URL(text)
  return protocol === "https:" || isLoopbackName(hostname)
}

const Issuer = textThat(
  isIssuer,
  "must be an https address without credentials, query and fragment, such as https://login.example.com; http is allowed on this machine"
)

const Scopes = textThat(
  (text) => /^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text) && text.split(" ").includes("openid"),
  "must be scopes with spaces between them, openid among them"
)

const PlainValue = PlainLine.check(Schema.isNonEmpty())

/** Values of the claim and their roles. */
type RoleMap = ReadonlyArray<readonly [value: string, role: Role]>

const roleNamed = (text: string) => Role.literals.find((role) => role === text)

// The last sign separates: values such as distinguished names contain others.
const pairsOf = (text: string) =>
  text.split(",").map((pair) => {
    const at = pair.lastIndexOf("=")
    return { value: pair.slice(0, Math.max(at, 0)).trim(), role: roleNamed(pair.slice(at + 1).trim()) }
  })

const RoleMapText = textThat(
  (text) => pairsOf(text).every(({ role, value }) => value !== "" && role !== undefined),
  `must be values and roles with commas between them, such as solar-admins=admin,staff=member; the roles are ${Role.literals.join(", ")}`
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.Tuple([Schema.String, Role])),
    SchemaTransformation.transform<RoleMap, string>({
      decode: (text) => pairsOf(text).flatMap(({ role, value }) => (role === undefined ? [] : [[value, role]])),
      encode: (pairs) => pairs.map((pair) => pair.join("=")).join(",")
    })
  )
)

const choices = Config.all({
  // Without it the client is public.
  clientSecret: Config.schema(Schema.RedactedFromValue(PlainValue), "OIDC_CLIENT_SECRET").pipe(Config.option),
  // Shown on the button of the login page.
  name: Config.schema(PlainLine, "OIDC_NAME").pipe(Config.option),
  scopes: Config.schema(Scopes, "OIDC_SCOPES").pipe(Config.withDefault("openid email profile")),
  // Without it, the console sets the roles.
  roleClaim: Config.schema(PlainValue, "OIDC_ROLE_CLAIM").pipe(Config.option),
  // Without it, the values of the claim are names of roles.
  roleMap: Config.schema(RoleMapText, "OIDC_ROLE_MAP").pipe(Config.option),
  // Role of users without one by the claim.
  defaultRole: Config.schema(Role, "OIDC_DEFAULT_ROLE").pipe(Config.withDefault("viewer" as const)),
  // Without it, the console limits users to portfolios.
  portfolioClaim: Config.schema(PlainValue, "OIDC_PORTFOLIO_CLAIM").pipe(Config.option)
})

/** `redirectUri` has to be registered at the provider. */
export interface OpenIdSettings extends Config.Success<typeof choices> {
  readonly issuer: string
  readonly clientId: string
  readonly redirectUri: string
}

/** Without `passwords` users log in at the OpenID provider only. */
export interface LoginSettings {
  readonly passwords: boolean
  readonly openId: Option.Option<OpenIdSettings>
}

const variables = Config.all({
  passwords: Config.schema(Flag, "PASSWORD_LOGIN").pipe(Config.withDefault(true)),
  publicUrl: Config.option(settings.publicUrl),
  issuer: Config.schema(Issuer, "OIDC_ISSUER").pipe(Config.option),
  clientId: Config.schema(PlainValue, "OIDC_CLIENT_ID").pipe(Config.option),
  choices
})

/** Always fails, with the name of a variable that is not set. */
const missing = (name: string, message: string): Config.Config<LoginSettings> =>
  Config.schema(Schema.Undefined.check(Schema.makeFilter(() => false, { message })), name).pipe(
    Config.map(() => ({ passwords: true, openId: Option.none() }))
  )

/** OpenID Connect needs an issuer, a client and `PUBLIC_URL`; without passwords it is needed. */
export const loginSettings: Config.Config<LoginSettings> = Config.flatMap(
  variables,
  ({ choices, clientId, issuer, passwords, publicUrl }) => {
    if (Option.isNone(issuer)) {
      if (!passwords) return missing("OIDC_ISSUER", "must be set with PASSWORD_LOGIN=false, else no user can log in")
      if (Option.isSome(clientId)) return missing("OIDC_ISSUER", "must be set with OIDC_CLIENT_ID")
      return Config.succeed({ passwords, openId: Option.none() })
    }
    if (Option.isNone(clientId)) return missing("OIDC_CLIENT_ID", "must be set with OIDC_ISSUER")
    if (Option.isNone(publicUrl)) {
      return missing("PUBLIC_URL", "must be set with OIDC_ISSUER: the provider sends users back to it")
    }
    const redirectUri = `${publicUrl.value}/console/oidc/callback`
    const openId = { ...choices, issuer: issuer.value, clientId: clientId.value, redirectUri }
    return Config.succeed({ passwords, openId: Option.some(openId) })
  }
)
