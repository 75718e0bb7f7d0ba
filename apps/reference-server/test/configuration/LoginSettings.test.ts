import { ConfigProvider, Effect, Option, Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"

type Variables = Readonly<Record<string, string>>

const read = (variables: Variables) =>
  fromEnvironment(settings).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)),
    Effect.result,
    Effect.runSync
  )

const faultOf = (variables: Variables) => Result.getOrThrow(Result.flip(read(variables))).message

const required = {
  PUBLIC_URL: "https://solar.example.com/",
  OIDC_ISSUER: "https://login.example.com/realms/solar",
  OIDC_CLIENT_ID: "solar-sites"
}

describe("the settings of logins", () => {
  it("connect the server to a provider", () => {
    expect(Result.getOrThrow(read(required)).login).toEqual({
      passwords: true,
      openId: Option.some({
        issuer: "https://login.example.com/realms/solar",
        clientId: "solar-sites",
        redirectUri: "https://solar.example.com/console/oidc/callback",
        clientSecret: Option.none(),
        name: Option.none(),
        scopes: "openid email profile",
        roleClaim: Option.none(),
        roleMap: Option.none(),
        defaultRole: "viewer",
        portfolioClaim: Option.none()
      })
    })
    const { login } = Result.getOrThrow(
      read({
        ...required,
        PASSWORD_LOGIN: "false",
        OIDC_CLIENT_SECRET: "a secret+ =",
        OIDC_NAME: "Example",
        OIDC_SCOPES: "openid email groups",
        OIDC_ROLE_CLAIM: "groups",
        OIDC_ROLE_MAP: "cn=solar-admins=admin, staff = member",
        OIDC_DEFAULT_ROLE: "member"
      })
    )
    const openId = Option.getOrThrow(login.openId)
    expect(login.passwords).toBe(false)
    expect(Redacted.value(Option.getOrThrow(openId.clientSecret))).toBe("a secret+ =")
    expect(openId).toMatchObject({ scopes: "openid email groups", defaultRole: "member" })
    expect([openId.name, openId.roleClaim]).toEqual([Option.some("Example"), Option.some("groups")])
    expect(Option.getOrThrow(openId.roleMap)).toEqual([
      ["cn=solar-admins", "admin"],
      ["staff", "member"]
    ])
    expect(JSON.stringify(login)).not.toContain("a secret")
  })

  it("allow http on this machine", () => {
    for (const host of ["localhost:8080", "127.0.0.1", "[::1]:8080"]) {
      const { login } = Result.getOrThrow(read({ ...required, OIDC_ISSUER: `http://${host}/realms/solar` }))
      expect(Option.getOrThrow(login.openId).issuer).toBe(`http://${host}/realms/solar`)
    }
  })

  it.each([
    ["OIDC_ISSUER", "http://login.example.com", "must be an https address"],
    ["OIDC_ISSUER", "http://localhost.example.com", "must be an https address"],
    ["OIDC_ISSUER", "https://me:secret@login.example.com", "must be an https address"],
    ["OIDC_ISSUER", "https://login.example.com?a=secret", "must be an https address"],
    ["OIDC_SCOPES", "email profile", "must be scopes with spaces between them, openid among them"],
    ["OIDC_ROLE_MAP", "secret", "must be values and roles with commas between them"],
    ["OIDC_ROLE_MAP", "secret=root", "must be values and roles with commas between them"],
    ["OIDC_ROLE_MAP", "=admin", "must be values and roles with commas between them"],
    ["OIDC_DEFAULT_ROLE", "guest", 'must be "owner" or "admin" or "member" or "viewer"'],
    ["PASSWORD_LOGIN", "no", 'must be "true" or "false"']
  ])("say what is wrong with %s=%s", (name, value, fault) => {
    const message = faultOf({ ...required, [name]: value })
    expect(message).toMatch(new RegExp(`^${name} ${fault}`))
    expect(message).toMatch(/^[^\n]+\.$/)
    expect(message).not.toContain("secret")
  })

  it("say which one is missing", () => {
    const { OIDC_CLIENT_ID, OIDC_ISSUER, PUBLIC_URL } = required
    expect(faultOf({ PASSWORD_LOGIN: "false" })).toBe(
      "OIDC_ISSUER must be set with PASSWORD_LOGIN=false, else no user can log in."
    )
    expect(faultOf({ OIDC_CLIENT_ID, PUBLIC_URL })).toBe("OIDC_ISSUER must be set with OIDC_CLIENT_ID.")
    expect(faultOf({ OIDC_ISSUER, PUBLIC_URL })).toBe("OIDC_CLIENT_ID must be set with OIDC_ISSUER.")
    expect(faultOf({ OIDC_ISSUER, OIDC_CLIENT_ID })).toMatch(/^PUBLIC_URL must be set with OIDC_ISSUER/)
  })
})
