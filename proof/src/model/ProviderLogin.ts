/**
 * A login by OpenID Connect: the browser goes to the provider, and comes back with a code.
 */
import * as fc from "fast-check"
import type { Made } from "../check.ts"
import { advance } from "./Administer.ts"
import type { Answer, Call } from "./Call.ts"
import { organisationAt, type Resolved } from "./CallTemplate.ts"
import { isRecord } from "./Match.ts"
import { type PendingLogin, roles } from "./PeopleState.ts"
import { type Administration, domains, setLoginDomains } from "./steps/Administration.ts"
import { firstOf, nextRequestId, send, type TestRun } from "./TestRun.ts"
import { fill, inRun, pick } from "./Tokens.ts"

/** Mostly undefined. */
const seldom = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const login = fc.record({
  does: fc.constant("logInByProvider" as const),
  organisation: fc.nat(2),
  /** Subject at the provider. */
  person: fc.nat(3),
  email: fc.record({ "@email": fc.nat(4), of: fc.constantFrom("own", "own", "foreign", "new") }),
  domain: seldom(fc.constantFrom(...domains, "elsewhere.example.com")),
  spelling: fc.constantFrom("plain", "plain", "plain", "upper", "resembling"),
  isVerified: fc.constantFrom(true, true, true, false),
  role: fc.constantFrom(...roles),
  /** Index of the session that the browser has. */
  session: fc.option(fc.nat(7), { nil: undefined }),
  spoilt: seldom(
    fc.constantFrom(
      ...(["denied", "other state", "other code", "other browser"] as const),
      ...(["no cookie", "wrong nonce", "twice", "late"] as const)
    )
  )
})

export type ProviderLogin = Made<typeof login>

export const providerLogins: fc.Arbitrary<ReadonlyArray<ProviderLogin | Administration>> = fc.oneof(
  setLoginDomains.map((one) => [one]),
  fc.array(login, { minLength: 1, maxLength: 3 }),
  fc
    .tuple(setLoginDomains, login, login)
    .map(([one, ...logins]) => [one, ...logins.map((each) => ({ ...each, organisation: one.organisation }))])
)

const late = 660_000

const spellings: Readonly<Record<ProviderLogin["spelling"], (email: string) => string>> = {
  plain: (email) => email,
  upper: (email) => email.toUpperCase(),
  // The long s becomes an s in compatibility forms.
  resembling: (email) => email.replace("s", "\u017F")
}

const emailOf = (testRun: TestRun, { domain, email, organisation, spelling }: ProviderLogin): string => {
  const model = firstOf(testRun)
  const own = organisationAt(model, organisation)
  const [name, host] = String(fill({ model, own, isTwin: false, outside: () => [], user: undefined }, email)).split("@")
  return spellings[spelling](`${name}@${domain === undefined ? host : inRun(model, domain)}`)
}

/** The provider says who the person is; its code is for the given login. */
const grant = (testRun: TestRun, step: ProviderLogin, { address, state }: PendingLogin): string => {
  const { isVerified, person, role, spoilt } = step
  const subject = inRun(firstOf(testRun), `person-${person}`)
  const email = emailOf(testRun, step)
  const hasNonce = spoilt !== "wrong nonce"
  const claims = { sub: subject, email, email_verified: isVerified, groups: ["others", `solar-${role}`] }
  const nonce = hasNonce ? {} : { nonce: "wrong" }
  const code = testRun.target.grant?.(new URL(address), { ...claims, ...nonce }) ?? ""
  for (const { provider } of testRun.models) {
    provider.grants.set(code, { state, subject, email, isVerified, role, hasNonce })
  }
  return code
}

const newestLogin = (testRun: TestRun): PendingLogin => {
  const login = firstOf(testRun).provider.pending.at(-1)
  if (login === undefined) throw new Error("no login has begun")
  return login
}

/** The calls of the browser; each is sent before the next one is made. */
export async function* providerCalls(testRun: TestRun, step: ProviderLogin): AsyncGenerator<Resolved> {
  if (testRun.target.grant === undefined) return
  const callOf = (operation: Call["operation"], more: Partial<Call> = {}): Call => ({
    ...{ operation, ids: [], query: [], body: undefined, headers: {}, secret: null, session: null },
    ...{ requestId: nextRequestId(testRun), ...more }
  })
  const query = [["returnTo", "/sites"]] as const
  const { sessions } = organisationAt(firstOf(testRun), step.organisation)
  const session = step.session === undefined ? undefined : pick(sessions, step.session)
  yield { call: callOf("startProviderLogin", { query, session: session?.token ?? null }) }
  const own = newestLogin(testRun)
  const needsOther = step.spoilt?.startsWith("other") === true
  if (needsOther) yield { call: callOf("startProviderLogin", { query }) }
  const other = newestLogin(testRun)

  const code = grant(testRun, step, step.spoilt === "other code" ? other : own)
  const state = step.spoilt === "other state" ? other.state : own.state
  const { cookie } = step.spoilt === "other browser" ? other : own
  const back = {
    query: [
      step.spoilt === "denied" ? (["error", "access_denied"] as const) : (["code", code] as const),
      ["state", state]
    ],
    headers: step.spoilt === "no cookie" ? {} : { cookie }
  } satisfies Partial<Call>
  if (step.spoilt === "late") await advance(testRun, late)

  let token: string | undefined
  // The page does not show the user.
  const answered = async ({ headers }: Answer) => {
    token = /^solar_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1]
    if (token === undefined) return
    const { body } = await send(testRun, callOf("getSession", { session: token }))
    const user = isRecord(body) ? body["user"] : undefined
    for (const { provider } of testRun.models) provider.userId = isRecord(user) ? String(user["id"]) : ""
  }
  yield { call: callOf("finishProviderLogin", back), answered }
  if (token !== undefined) yield { call: callOf("getSession", { session: token }) }
  if (step.spoilt === "twice") yield { call: callOf("finishProviderLogin", back), answered }
}
