import { Clock, Effect, Exit, Option, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type LoginChecks, openIdConnect } from "../../../src/accounts/identity/OpenIdConnect.ts"
import type { OpenIdSettings } from "../../../src/configuration/LoginSettings.ts"
import {
  askedIn,
  clientId,
  clientSecret,
  type ForgingProvider,
  forgingProvider,
  type Grant,
  publicUrl
} from "./ForgingProvider.ts"

const checks: LoginChecks = { state: "state", nonce: "nonce", verifier: "verifier".repeat(6) }
const ada = { email: "ada@example.com", email_verified: true, name: "Ada" }
const now = () => Math.floor(Date.now() / 1_000)

const settingsOf = (issuer: string): OpenIdSettings => ({
  issuer,
  clientId,
  clientSecret: Option.some(Redacted.make(clientSecret)),
  redirectUri: `${publicUrl}/console/oidc/callback`,
  name: Option.none(),
  scopes: "openid email profile",
  roleClaim: Option.none(),
  roleMap: Option.none(),
  defaultRole: "viewer",
  portfolioClaim: Option.none()
})

type OpenIdConnect = Effect.Success<ReturnType<typeof openIdConnect>>

const clientOf = (settings: OpenIdSettings): Promise<OpenIdConnect> => Effect.runPromise(openIdConnect(settings))

describe("the client of an OpenID provider", () => {
  let provider: ForgingProvider
  let client: OpenIdConnect

  beforeAll(async () => {
    provider = await forgingProvider()
    client = await clientOf(settingsOf(provider.issuer))
  })

  afterAll(() => provider.close())

  /** Runs a login; resolves with the user, or with the tag of the error and its reason. */
  const logIn = async (grant: Grant, query: Readonly<Record<string, string>> = {}, used = client) => {
    const asked = askedIn(await Effect.runPromise(used.authorizationUrl(checks)))
    const code = provider.grant(asked, { claims: ada, ...grant })
    const redeemed = used.redeem(String(new URLSearchParams({ code, state: asked.state, ...query })), checks)
    return Effect.runPromise(
      Effect.match(redeemed, { onSuccess: (user) => user, onFailure: ({ _tag, reason }) => `${_tag}: ${reason}` })
    )
  }

  it("asks for a code with PKCE, state and nonce", async () => {
    const { origin, pathname, searchParams } = await Effect.runPromise(client.authorizationUrl(checks))
    expect(`${origin}${pathname}`).toBe(`${provider.issuer}/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: clientId,
      redirect_uri: `${publicUrl}/console/oidc/callback`,
      response_type: "code",
      scope: "openid email profile",
      state: "state",
      nonce: "nonce",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256"
    })
  })

  it("accepts a valid token, also within 60 s of clock skew", async () => {
    const user = {
      issuer: provider.issuer,
      subject: "ada",
      email: Option.some("ada@example.com"),
      name: Option.some("Ada"),
      role: Option.none(),
      portfolios: Option.none()
    }
    expect(await logIn({})).toEqual(user)
    expect(await logIn({ claims: { ...ada, exp: now() - 50 } })).toEqual(user)
    expect(await logIn({ claims: { ...ada, aud: [clientId, "other"], azp: clientId } })).toEqual(user)
    expect(await logIn({}, { iss: provider.issuer })).toEqual(user)
  })

  it.each<[string, Grant | ((provider: ForgingProvider) => Grant), RegExp]>([
    ["another nonce", { claims: { ...ada, nonce: "other" } }, /nonce/],
    ["no nonce", { claims: { ...ada, nonce: undefined } }, /nonce/],
    ["another issuer", { claims: { ...ada, iss: "https://evil.example.com" } }, /iss/],
    ["another audience", { claims: { ...ada, aud: "other" } }, /aud/],
    ["an audience of others as well", { claims: { ...ada, aud: [clientId, "other"], azp: "other" } }, /azp/],
    ["no subject", { claims: { ...ada, sub: undefined } }, /sub/],
    ["a subject that is too long", { claims: { ...ada, sub: "a".repeat(256) } }, /subject/],
    ["a subject with a control character", { claims: { ...ada, sub: "ada\0" } }, /subject/],
    ["an expiry 70 s ago", { claims: { ...ada, exp: now() - 70 } }, /exp/],
    ["a begin in 120 s", { claims: { ...ada, nbf: now() + 120 } }, /nbf/],
    ["no signature", ({ signers }) => ({ sign: signers.unsigned }), /UNSUPPORTED_OPERATION/],
    [
      "a signature of a key that the provider does not have",
      ({ signers }) => ({ sign: signers.otherKey }),
      /signature verification/
    ],
    [
      "a signature with the secret of the client",
      ({ signers }) => ({ sign: signers.clientSecret }),
      /UNSUPPORTED_OPERATION/
    ],
    [
      "a signature with the public key as a secret",
      ({ signers }) => ({ sign: signers.publicKey }),
      /UNSUPPORTED_OPERATION/
    ],
    [
      "a changed claim under a valid signature",
      ({ signers }) => ({
        sign: async (claims) => {
          const [header, , signature] = (await signers.valid(claims)).split(".")
          return `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: "eve" })).toString("base64url")}.${signature}`
        }
      }),
      /signature verification/
    ],
    ["an error of the token endpoint", { status: 400 }, /status/]
  ])("refuses a token with %s", async (_, grant, reason) => {
    const outcome = await logIn(typeof grant === "function" ? grant(provider) : grant)
    expect(outcome).toMatch(/^ProviderRefused: /)
    expect(outcome).toMatch(reason)
    expect(outcome).not.toMatch(/ada@example|eyJ/)
  })

  it.each([
    ["the issuer of another provider", { iss: "https://evil.example.com" }, /"iss"/],
    ["another state", { state: "other" }, /"state"/],
    ["a code that the provider has not given", { code: "other" }, /invalid_grant/],
    ["an error", { error: "access_denied", error_description: "secret" }, /access_denied/],
    ["a token in place of a code", { id_token: "eyJ" }, /UNSUPPORTED_OPERATION/]
  ])("refuses a response with %s", async (_, query, reason) => {
    const outcome = await logIn({}, query)
    expect(outcome).toMatch(/^ProviderRefused: /)
    expect(outcome).toMatch(reason)
    expect(outcome).not.toContain("secret")
  })

  it("refuses a code that was asked for with another verifier", async () => {
    const asked = askedIn(await Effect.runPromise(client.authorizationUrl(checks)))
    const code = provider.grant(asked, { claims: ada })
    const stolen = client.redeem(`code=${code}&state=state`, { ...checks, verifier: "other".repeat(10) })
    expect((await Effect.runPromise(Effect.flip(stolen)))._tag).toBe("ProviderRefused")
  })

  it("requires the issuer in the response of a provider that announces it", async () => {
    const announcing = await forgingProvider()
    announcing.announce({ authorization_response_iss_parameter_supported: true })
    const careful = await clientOf(settingsOf(announcing.issuer))
    const asked = askedIn(await Effect.runPromise(careful.authorizationUrl(checks)))
    const redeem = (query: string) =>
      Effect.runPromise(
        Effect.exit(careful.redeem(`code=${announcing.grant(asked, { claims: ada })}&state=state${query}`, checks))
      )
    expect(Exit.isFailure(await redeem(""))).toBe(true)
    expect(Exit.isSuccess(await redeem(`&iss=${encodeURIComponent(announcing.issuer)}`))).toBe(true)
    await announcing.close()
  })

  it("asks for the user info if the token lacks the address, and only then", async () => {
    const info = { sub: "ada", email: "ada@example.org", email_verified: true }
    const withInfo = await logIn({ claims: { email_verified: false }, info })
    expect(withInfo).toMatchObject({ email: Option.some("ada@example.org") })
    expect(await logIn({ info })).toMatchObject({ email: Option.some("ada@example.com") })
    expect(await logIn({ claims: {}, info: { ...info, sub: "eve" } })).toMatch(/^ProviderRefused: /)
    expect(await logIn({ claims: {}, info: { ...info, email_verified: false } })).toMatchObject({
      email: Option.none()
    })
  })

  it("refuses a provider that names another issuer", async () => {
    const lying = await forgingProvider()
    lying.announce({ issuer: provider.issuer })
    const outcome = (await clientOf(settingsOf(lying.issuer))).authorizationUrl(checks)
    expect((await Effect.runPromise(Effect.flip(outcome)))._tag).toBe("ProviderUnavailable")
    await lying.close()
  })

  it("refuses an issuer of all tenants, which the library accepts", async () => {
    const body = { issuer: "https://login.microsoftonline.com/{tenantid}/v2.0", authorization_endpoint: "https://a/b" }
    const answer = async () => new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } })
    vi.stubGlobal("fetch", answer)
    const outcome = (await clientOf(settingsOf("https://login.microsoftonline.com/common/v2.0"))).authorizationUrl(
      checks
    )
    const { reason } = await Effect.runPromise(Effect.flip(outcome)).finally(() => vi.unstubAllGlobals())
    expect(reason).toBe("the provider names another issuer")
  })

  it("does without a provider that is down, and asks it again for each login", async () => {
    const late = await forgingProvider()
    await late.close()
    const hopeful = await clientOf(settingsOf(late.issuer))
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await Effect.runPromise(Effect.flip(hopeful.authorizationUrl(checks)))
      expect(outcome).toMatchObject({ _tag: "ProviderUnavailable", reason: expect.stringContaining("ECONNREFUSED") })
    }
  })

  it("waits 10 s for a slow provider, and reads the configuration once for concurrent logins", async () => {
    const slow = await forgingProvider()
    let answer = () => {}
    slow.delayUntil(
      new Promise((resolve) => {
        answer = resolve
      })
    )
    const patient = await clientOf(settingsOf(slow.issuer))
    const slept: Array<number> = []
    const live = Effect.runSync(Clock.clockWith(Effect.succeed))
    const clock: Clock.Clock = Object.assign(Object.create(live), {
      sleep: (duration: Parameters<Clock.Clock["sleep"]>[0]) => {
        slept.push(Number(String(duration)))
        return Effect.void
      }
    })
    const timedOut = Effect.provideService(Effect.flip(patient.authorizationUrl(checks)), Clock.Clock, clock)
    expect((await Effect.runPromise(timedOut))._tag).toBe("ProviderUnavailable")
    expect(slept.length).toBe(1)
    const both = Promise.all([1, 2].map(() => Effect.runPromise(patient.authorizationUrl(checks))))
    answer()
    expect((await both).length).toBe(2)
    expect(slow.paths.length).toBeLessThanOrEqual(2)
    await slow.close()
  })
})
