/**
 * Rules of logins by OpenID Connect (docs/openid-connect.md). The role comes from a claim.
 */
import { about, type Call, type Expected, emit, type OpenRule, type Origin, ok } from "../Call.ts"
import { between, Hole, newId, textWith } from "../Match.ts"
import type { ModelState, Organisation } from "../ModelState.ts"
import type { Grant, PendingLogin, User } from "../PeopleState.ts"
import { endInvitations, type UserPlace as Place, usersOf, withLogin } from "./Roles.ts"
import { credentialsChanged, endOf } from "./SessionEnds.ts"
import { opened } from "./Sessions.ts"
import { changeUser, isLastOwner } from "./Users.ts"

const life = 600_000

const cookie = /^(solar_oidc=[\w-]{43}); Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/

const asked = { response_type: "code", code_challenge_method: "S256" }

const refused = (problem: string): Expected => ({
  ...ok(302),
  headers: {
    location: `/login?problem=oidc_${problem}`,
    "set-cookie": new Hole("no cookie", (found) => found === null)
  }
})

/** What the provider says, or the refusal of the callback. A login of this browser is used up. */
const redeem = ({ provider }: ModelState, call: Call, now: number): readonly [Grant, PendingLogin] | string => {
  const query = new Map(call.query)
  const login = provider.pending.find((one) => one.cookie === call.headers["cookie"])
  if (login === undefined || query.get("state") !== login.state) return "expired"
  provider.pending = provider.pending.filter((one) => one !== login)
  if (now >= login.expiresAt) return "expired"
  if (query.get("error") === "access_denied") return "denied"
  const grant = provider.grants.get(query.get("code") ?? "")
  if (grant === undefined || grant.state !== login.state || !grant.hasNonce) return "failed"
  return [grant, login]
}

const folded = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

const eventOf = ({ organisation, at }: Origin, user: User, type: string, changes: Parameters<typeof emit>[4]) =>
  emit({ organisation, at }, type, about("user", user), null, changes)

/** The identity of a deleted user moves. */
const identify = ({ organisations }: ModelState, { organisation, user }: Place, subject: string): void => {
  for (const one of organisations) one.identities = one.identities.filter((identity) => identity.subject !== subject)
  organisation.identities.push({ subject, userId: user.id })
}

/** The user loses its password, and the sessions that came with it. */
const link = (model: ModelState, place: Place, { subject }: Grant, at: Origin["at"], issuer: string): void => {
  const { organisation, user } = place
  identify(model, place, subject)
  const identity = { identity: { from: null, to: issuer } }
  eventOf({ organisation, at }, user, "user.updated", {
    ...identity,
    ...(user.password === null ? {} : { password: { from: null, to: null } })
  })
  if (user.password === null) return
  user.password = null
  credentialsChanged({ organisation, at }, user)
}

const create = (
  model: ModelState,
  organisation: Organisation,
  { email, role, subject }: Grant,
  at: Origin["at"],
  issuer: string
): Place => {
  const user: User = {
    ...{ id: model.provider.userId, email, name: email.slice(0, email.lastIndexOf("@")), role, password: null },
    ...{ passwordVersion: 1, factor: null, createdAt: { ...at }, lastLoginAt: null }
  }
  organisation.users.set(user.id, user)
  identify(model, { organisation, user }, subject)
  const changes = { email, name: user.name, role, identity: issuer }
  const fromNull = Object.entries(changes).map(([name, to]) => [name, { from: null, to }])
  eventOf({ organisation, at }, user, "user.created", Object.fromEntries(fromNull))
  return { organisation, user }
}

/** The user that the provider has authenticated; undefined if it may not log in. */
const resolve = (model: ModelState, grant: Grant, at: Origin["at"], issuer: string): Place | undefined => {
  const { email, isVerified, subject } = grant
  const { organisations } = model
  const owner = organisations.find(({ identities }) => identities.some((one) => one.subject === subject))
  const userId = owner?.identities.find((one) => one.subject === subject)?.userId
  const known = usersOf(model).find(({ user }) => user.id === userId)
  if (known !== undefined) return known.organisation.status === "active" ? known : undefined
  if (!isVerified || email.normalize("NFKC") !== email) return undefined
  const domain = folded(email.slice(email.lastIndexOf("@") + 1))
  const same = withLogin(model, email)
  if (same !== undefined) {
    const { identities, loginDomains, status } = same.organisation
    const isLinked = identities.some((one) => one.userId === same.user.id)
    if (status !== "active" || !loginDomains.includes(domain) || isLinked) return undefined
    if (folded(same.user.email) !== folded(email)) return undefined
    link(model, same, grant, at, issuer)
    return same
  }
  const organisation = organisations.find(
    ({ loginDomains, status }) => status === "active" && loginDomains.includes(domain)
  )
  return organisation === undefined || owner !== undefined ? undefined : create(model, organisation, grant, at, issuer)
}

/** Sets the role, as the operator would. */
const applyRole = ({ organisation, user }: Place, { role }: Grant, at: Origin["at"]): void => {
  if (role === user.role || (role !== "owner" && isLastOwner(organisation, user))) return
  changeUser({ organisation, at }, user, { role })
  endInvitations({ organisation, at }, user.id, role)
}

export const providerLoginRules = {
  startProviderLogin: (model, { session }, { from }) => {
    const login: PendingLogin = {
      ...{ cookie: "", state: "", address: "", replaces: session ?? null, expiresAt: from + life }
    }
    model.provider.pending.push(login)
    const location = new Hole("the address of the provider", (found) => {
      login.address = String(found)
      const { searchParams } = new URL(login.address)
      login.state = searchParams.get("state") ?? ""
      const hasAll = Object.entries(asked).every(([name, value]) => searchParams.get(name) === value)
      return hasAll && searchParams.has("nonce") && searchParams.has("code_challenge")
    })
    const setCookie = new Hole("the cookie of a login", (found) => {
      login.cookie = cookie.exec(String(found))?.[1] ?? ""
      return login.cookie !== ""
    })
    return { ...ok(302), headers: { location, "set-cookie": setCookie } }
  },
  finishProviderLogin: (model, call, { from, to }) => {
    const redeemed = redeem(model, call, from)
    if (typeof redeemed === "string") return refused(redeemed)
    const [grant, { address, replaces }] = redeemed
    const at = between(from, to)
    const count = usersOf(model).length
    const place = resolve(model, grant, at, new URL(address).origin)
    if (place === undefined) return refused("not_allowed")
    const isNew = usersOf(model).length > count
    applyRole(place, grant, at)
    const { headers, status } = opened(200, model, place.organisation, place.user.id, { at, call, method: "oidc" })
    endOf(model, replaces, from)
    const page = textWith('content="0;url=/sites"')
    const body = new Hole("a page that goes on, of a user with a new id", (found) => {
      return page.fill(found) && (!isNew || newId(model, () => {}).fill(place.user.id))
    })
    return { status, body, headers: { ...headers, "content-type": "text/html; charset=utf-8" } }
  }
} satisfies Record<string, OpenRule>
