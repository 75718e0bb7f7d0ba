import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { isComplete, provenUser } from "../../../src/accounts/identity/OpenIdClaims.ts"
import type { OpenIdSettings } from "../../../src/configuration/LoginSettings.ts"

const settings: OpenIdSettings = {
  issuer: "https://login.example.com",
  clientId: "solar-sites",
  clientSecret: Option.none(),
  redirectUri: "https://solar.example.com/console/oidc/callback",
  name: Option.none(),
  scopes: "openid",
  roleClaim: Option.some("roles"),
  roleMap: Option.none(),
  defaultRole: "viewer",
  portfolioClaim: Option.none()
}

const token = { iss: settings.issuer, sub: "ada", email: "ada@example.com" }
const entra = { ...token, iss: "https://login.microsoftonline.com/0190a5c0-0000-7000-8000-000000000000/v2.0" }

describe("the claims of an OpenID provider", () => {
  it.each([
    ["email_verified", { ...token, email_verified: true }, true],
    ["email_verified as text", { ...token, email_verified: "true" }, true],
    ["no statement", token, false],
    ["the contrary", { ...token, email_verified: false }, false],
    ["something else", { ...token, email_verified: 1 }, false],
    ["the owned domain of another provider", { ...token, xms_edov: true }, false],
    ["the owned domain of Entra ID", { ...entra, xms_edov: "1" }, true],
    ["the domain of another tenant of Entra ID", { ...entra, xms_edov: false }, false],
    ["no statement of Entra ID", entra, false],
    ["the contrary and an owned domain", { ...entra, email_verified: false, xms_edov: true }, false]
  ])("verify an address by %s or not", (_, claims, isVerified) => {
    expect(Option.isSome(provenUser(claims, {}, settings).email)).toBe(isVerified)
  })

  it("verify the address of the same source only", () => {
    const info = { sub: "ada", email: "other@example.com", email_verified: true }
    expect(provenUser(token, info, settings).email).toEqual(Option.none())
    expect(
      provenUser({ ...token, email: undefined, email_verified: true }, { ...info, email_verified: false }, settings)
        .email
    ).toEqual(Option.none())
  })

  it.each([
    ["owner", "owner"],
    [["viewer", "admin", "member"], "admin"],
    [["Admin", "administrator"], "viewer"],
    [[["owner"]], "viewer"],
    [{ owner: true }, "viewer"],
    [undefined, "viewer"],
    [[], "viewer"]
  ])("give the highest role of %j", (roles, role) => {
    expect(provenUser({ ...token, roles }, {}, settings).role).toEqual(Option.some(role))
  })

  it("give roles by the map, from the user info too, and none without the setting", () => {
    const mapped = {
      ...settings,
      roleMap: Option.some([
        ["a", "member"],
        ["b", "admin"]
      ] as const),
      defaultRole: "member" as const
    }
    expect(provenUser({ ...token, roles: ["b"] }, {}, mapped).role).toEqual(Option.some("admin"))
    expect(provenUser(token, { roles: ["b"] }, mapped).role).toEqual(Option.some("admin"))
    expect(provenUser({ ...token, roles: ["owner"] }, {}, mapped).role).toEqual(Option.some("member"))
    expect(provenUser({ ...token, roles: ["owner"] }, {}, { ...settings, roleClaim: Option.none() }).role).toEqual(
      Option.none()
    )
  })

  it.each([
    ["north", ["north"]],
    [
      ["north", "south"],
      ["north", "south"]
    ],
    ["", [""]],
    [[], []],
    [undefined, []],
    [null, []],
    [true, []],
    [{ north: true }, []],
    [["north", 1], []],
    [[["north"]], []],
    [Array.from({ length: 1_001 }, () => "north"), []]
  ])("name the portfolios of %j", (portfolios, named) => {
    const limiting = { ...settings, portfolioClaim: Option.some("portfolios") }
    expect(provenUser({ ...token, portfolios }, {}, limiting).portfolios).toEqual(Option.some(named))
    if (portfolios != null) {
      expect(provenUser(token, { portfolios }, limiting).portfolios).toEqual(Option.some(named))
    }
    expect(provenUser({ ...token, portfolios }, {}, settings).portfolios).toEqual(Option.none())
  })

  it("are asked for at the user info when the ID token lacks the portfolios", () => {
    const limiting = { ...settings, roleClaim: Option.none(), portfolioClaim: Option.some("portfolios") }
    expect(isComplete(token, limiting)).toBe(false)
    expect(isComplete({ ...token, portfolios: [] }, limiting)).toBe(true)
  })
})
