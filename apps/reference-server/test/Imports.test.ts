import { Effect, Exit, Layer, Option, Redacted } from "effect"
import { expect, it } from "vitest"
import { failImportsOf } from "../../../packages/http-node/test/FailingImports.ts"
import { openIdConnect } from "../src/accounts/identity/OpenIdConnect.ts"
import { makeRequireUncommon } from "../src/accounts/login/CommonPasswords.ts"
import { PasswordHasher } from "../src/accounts/login/PasswordHasher.ts"
import { Mailer } from "../src/mail/Mailer.ts"
import { passwordOf } from "./accounts/AccountsSetup.ts"

const mail = { url: Redacted.make("smtp://127.0.0.1:1"), from: { name: "", address: "solar@example.com" } }
const provider = {
  issuer: "https://login.example.com",
  clientId: "solar",
  clientSecret: Option.none(),
  redirectUri: "https://solar.example.com/console/login/openid/callback",
  scopes: "openid",
  name: Option.none(),
  roleClaim: Option.none(),
  roleMap: Option.none(),
  defaultRole: "viewer" as const,
  portfolioClaim: Option.none()
}

// Node 20 keeps a failed import: one that fails while requests are served fails until a restart.
it.each([
  ["nodemailer", Mailer.layer({ settings: Option.some(mail), address: Effect.succeed("https://solar.example.com") })],
  ["@node-rs/argon2", PasswordHasher.layer],
  ["openid-client", Layer.effectDiscard(openIdConnect(provider))]
])("%s is loaded at the start, which fails without it", async (name, layer: Layer.Layer<never>) => {
  using _ = failImportsOf(name)
  const build = Effect.exit(Effect.scoped(Layer.build(layer)))
  expect(Exit.isFailure(await Effect.runPromise(build))).toBe(true)
})

it("the dictionary of passwords is loaded again after a failure", async () => {
  const check = await Effect.runPromise(makeRequireUncommon)
  const outcome = () => Effect.runPromiseExit(check(passwordOf("correct horse battery"), []))
  {
    using _ = failImportsOf("@zxcvbn-ts/language-common")
    expect(Exit.isFailure(await outcome())).toBe(true)
  }
  expect(Exit.isSuccess(await outcome())).toBe(true)
})
