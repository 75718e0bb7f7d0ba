/**
 * Rules of sessions: logging in and out, and the callers that they make (specification, section 13).
 */
import { Schema } from "effect"
import {
  type Answer,
  about,
  type Call,
  type Caller,
  type Expected,
  emit,
  type OpenRule,
  ok,
  type Rule,
  refused,
  uuidIn
} from "../Call.ts"
import { given } from "../Input.ts"
import { between, difference, Hole, type Instant, later } from "../Match.ts"
import type { ModelState, Organisation } from "../ModelState.ts"
import type { Session } from "../PeopleState.ts"
import { isActive, useCode } from "./Codes.ts"
import { organisationJson } from "./Keys.ts"
import { scopesOf, userOf, withLogin } from "./Roles.ts"
import { end, endOf, endSessions, getSessionEnd } from "./SessionEnds.ts"

const hour = 3_600_000
const life = 12 * hour
const idleLife = 2 * hour

const challenge = { "www-authenticate": 'Session realm="console"' }

const unauthenticated = (code: string): Expected => ({ ...refused(401, code), headers: challenge })

export const sessionMissing = unauthenticated("session_missing")

/** A session that is used ends later, but moves its end at most once a minute. */
const slide = (session: Session, { from, to }: Answer): void => {
  const next = Math.min(session.expiresAt["@from"], from + idleLife)
  const isMoved = next >= session.idleEnd + 60_000
  if (isMoved) session.idleEnd = next
  // Where time runs, the server may have seen the end of that minute, or not.
  if (from !== to) session.usedAt = between(session.createdAt["@from"], to)
  else if (isMoved) session.usedAt = between(from, to)
}

/** The organisation and the caller of a live session, which is used. */
export const callerOf = (
  { organisations }: ModelState,
  token: string,
  answer: Answer
): { readonly organisation: Organisation; readonly caller: Caller } | undefined => {
  for (const organisation of organisations) {
    const session = organisation.sessions.find((one) => one.token === token && one.end === null)
    const user = organisation.users.get(session?.userId ?? "")
    if (session === undefined || user === undefined || answer.from >= session.idleEnd) continue
    slide(session, answer)
    return { organisation, caller: { key: null, session, userId: user.id, scopes: scopesOf(user.role), limit: null } }
  }
  return undefined
}

/** Until the user has a second factor, where the organisation demands one. */
export const mustSetUpSecondFactor = ({
  caller: { session },
  organisation
}: {
  readonly caller: Pick<Caller, "session">
  readonly organisation: Organisation
}): boolean => {
  const user = organisation.users.get(session?.userId ?? "")
  return organisation.requireSecondFactor && session?.method !== "oidc" && !isActive(user?.factor ?? null)
}

const sessionJson = (organisation: Organisation, session: Session) => {
  const { expiresAt, userId } = session
  const user = organisation.users.get(userId)
  if (user === undefined) throw new Error("the session has no user")
  const { email, id, name, role } = user
  return {
    user: { id, email, name, role, portfolioIds: null },
    organisation: organisationJson(organisation),
    expiresAt,
    scopes: scopesOf(role),
    mustSetUpSecondFactor: mustSetUpSecondFactor({ caller: { session }, organisation })
  }
}

/** The answer that opens a session of a user, in place of that of the call; its cookie fills the token. */
export const opened = (
  status: number,
  model: ModelState,
  organisation: Organisation,
  userId: string,
  { at, call, method }: { readonly at: Instant; readonly call: Call; readonly method: Session["method"] }
): Expected => {
  const user = organisation.users.get(userId)
  if (user === undefined) throw new Error("there is no user to open a session of")
  const expiresAt = later(at, life)
  const session: Session = {
    ...{ id: null, token: "", userId, method, userAgent: call.requestId, createdAt: { ...at }, usedAt: null },
    ...{ expiresAt, idleEnd: at["@from"] + idleLife, end: null }
  }
  endOf(model, call.session, at["@from"])
  organisation.sessions.push(session)
  user.lastLoginAt = { ...at }
  const origin = { organisation, at, call, caller: { key: null, userId } }
  emit(origin, "user.logged_in", about("user", user), null, { method: { from: null, to: method } })
  const cookie = new Hole("the cookie of a session", (found) => {
    const [, token] = /^solar_session=([^;]{20,}); Path=\/; HttpOnly; SameSite=Strict$/.exec(String(found)) ?? []
    session.token = token ?? ""
    return token !== undefined
  })
  return { ...ok(status, sessionJson(organisation, session)), headers: { "set-cookie": cookie } }
}

const Credentials = Schema.Struct({
  email: Schema.String,
  password: Schema.String,
  code: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const cleared = { "set-cookie": "solar_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" }

export const openSessionRules = {
  logIn: (model, call, { from, to }) =>
    given(Credentials, call, ({ code, email, password }) => {
      const { organisation, user } = withLogin(model, email) ?? {}
      if (user?.password !== password || organisation?.status !== "active") return unauthenticated("login_failed")
      const at = between(from, to)
      if (isActive(user.factor)) {
        if ((code ?? "").trim() === "") return unauthenticated("second_factor_required")
        // The event of a used recovery code has no actor.
        if (!useCode({ organisation, at }, user, user.factor, code ?? "")) return unauthenticated("second_factor_wrong")
      }
      return opened(200, model, organisation, user.id, { at, call, method: "password" })
    }),
  logOut: (model, { session }, { from }) => {
    endOf(model, session, from)
    return { ...ok(204), headers: cleared }
  },
  getSessionEnd
} satisfies Record<string, OpenRule>

const isLive = ({ end: reason, idleEnd }: Session, now: number): boolean => reason === null && now < idleEnd

export const sessionRules: Readonly<Record<string, Rule>> = {
  getSession: (turn) => {
    const { session } = turn.caller
    if (session === null) throw new Error("the call has no session")
    return ok(200, sessionJson(turn.organisation, session))
  },
  /** Newest first. */
  listSessions: ({ at, caller: { session: current, userId }, organisation }) => {
    const live = organisation.sessions.filter((one) => one.userId === userId && isLive(one, at["@from"]))
    const shown = (session: Session) => ({
      id:
        session.id ??
        new Hole("an id of a session", (found) => {
          session.id = String(found)
          return uuidIn(found) === found
        }),
      ...{ createdAt: session.createdAt, lastUsedAt: session.usedAt ?? session.createdAt },
      ...{ expiresAt: session.expiresAt, method: session.method, userAgent: session.userAgent },
      current: session === current
    })
    let fault = "the live sessions"
    const data = new Hole("sessions", (found) => {
      if (!Array.isArray(found)) return false
      const byAgent = new Map(live.map((session) => [session.userAgent, session] as const))
      // Sessions of one instant may come in any order.
      const expected = found.map((one) => byAgent.get(String(Object(one).userAgent))).filter((one) => one !== undefined)
      fault = difference(expected.length === live.length ? expected.map(shown) : live.map(shown), found) ?? fault
      const times = found.map((one) => String(Object(one).createdAt))
      return fault === "the live sessions" && times.every((time, index) => time >= (times[index + 1] ?? ""))
    })
    Object.defineProperty(data, "name", { get: () => fault })
    return ok(200, { data })
  },
  endSession: (turn) => {
    const { answered, at, call, caller, organisation } = turn
    const id = uuidIn(call.ids[0])
    const session = organisation.sessions.find(
      (one) => one.id === id && one.userId === caller.userId && one.end === null
    )
    if (session === undefined) return refused(404, "session_not_found")
    // A session that has ended by itself is deleted within ten minutes.
    if (!isLive(session, at["@from"]) && answered === 404) return refused(404, "session_not_found")
    end(session, "ended", at["@from"])
    return session === caller.session ? { ...ok(204), headers: cleared } : ok(204)
  },
  endOtherSessions: (turn) => {
    endSessions(turn, userOf(turn).id, "ended", turn.caller.session)
    return ok(204)
  }
}
