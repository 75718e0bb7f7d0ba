/**
 * Rules of sessions: logging in and out, and the callers that they make (specification, section 13).
 */
import { type Answer, type Call, type Caller, type Expected, emit, invalid, ok, type Rule, refused } from "../Call.ts"
import { Hole } from "../Match.ts"
import { type Member, type Members, read } from "../Members.ts"
import { between, type Instant, later, type ModelState, type Organisation, type Session } from "../ModelState.ts"
import { organisationJson } from "./Keys.ts"
import { loginOf, scopesOf } from "./Roles.ts"

const hour = 3_600_000
const life = 12 * hour
const idleLife = 2 * hour

const challenge = { "www-authenticate": 'Session realm="console"' }

export const sessionMissing: Expected = { ...refused(401, "session_missing"), headers: challenge }

/** Milliseconds; a session that is used ends later, but moves its end at most once a minute. */
const slide = (session: Session, now: number): void => {
  const next = Math.min(session.expiresAt["@from"], now + idleLife)
  if (next >= session.idleEnd + 60_000) session.idleEnd = next
}

/** The organisation and the caller of a live session, which is used. */
export const callerOf = (
  { organisations }: ModelState,
  token: string,
  answer: Answer
): { readonly organisation: Organisation; readonly caller: Caller } | undefined => {
  for (const organisation of organisations) {
    const session = organisation.sessions.find((one) => one.token === token && !one.ended)
    const user = organisation.users.get(session?.userId ?? "")
    if (session === undefined || user === undefined || answer.from >= session.idleEnd) continue
    slide(session, answer.from)
    return { organisation, caller: { key: null, session, userId: user.id, scopes: scopesOf(user.role) } }
  }
  return undefined
}

const sessionJson = (organisation: Organisation, { expiresAt, userId }: Session) => {
  const user = organisation.users.get(userId)
  if (user === undefined) throw new Error("the session has no user")
  const { email, id, name, role } = user
  return {
    user: { id, email, name, role },
    organisation: organisationJson(organisation),
    expiresAt,
    scopes: scopesOf(role),
    mustSetUpSecondFactor: false
  }
}

/** Ends the session of a cookie, if there is one. */
const endOf = ({ organisations }: ModelState, token: string | null | undefined): void => {
  for (const { sessions } of organisations) {
    for (const session of sessions) if (session.token === token) session.ended = true
  }
}

/** The answer that opens a session of a user, in place of that of the call; its cookie fills the token. */
export const opened = (
  status: number,
  model: ModelState,
  organisation: Organisation,
  userId: string,
  { at, call, method }: { readonly at: Instant; readonly call: Call; readonly method: string }
): Expected => {
  const user = organisation.users.get(userId)
  if (user === undefined) throw new Error("there is no user to open a session of")
  const expiresAt = later(at, life)
  const session: Session = { token: "", userId, expiresAt, idleEnd: at["@from"] + idleLife, ended: false }
  endOf(model, call.session)
  organisation.sessions.push(session)
  user.lastLoginAt = { ...at }
  const origin = { organisation, at, call, caller: { key: null, userId } }
  const subject = { type: "user", id: userId, name: user.name }
  emit(origin, "user.logged_in", subject, null, { method: { from: null, to: method } })
  const cookie = new Hole("the cookie of a session", (found) => {
    const [, token] = /^solar_session=([^;]{20,}); Path=\/; HttpOnly; SameSite=Strict$/.exec(String(found)) ?? []
    session.token = token ?? ""
    return token !== undefined
  })
  return { ...ok(status, sessionJson(organisation, session)), headers: { "set-cookie": cookie } }
}

const anyText: Member = { required: true, holds: (value) => typeof value === "string" }
const credentials: Members = { email: anyText, password: anyText }

type OpenRule = (model: ModelState, call: Call, answer: Answer) => Expected

const logIn: OpenRule = (model, call, { from, to }) => {
  const { pointers, values } = read(credentials, [], call.body, "create")
  if (pointers.length > 0) return invalid(pointers)
  const login = loginOf(String(values["email"]))
  for (const organisation of model.organisations) {
    const user = [...organisation.users.values()].find(({ email }) => loginOf(email) === login)
    if (user === undefined || user.password !== values["password"] || organisation.status !== "active") continue
    return opened(200, model, organisation, user.id, { at: between(from, to), call, method: "password" })
  }
  return { ...refused(401, "login_failed"), headers: challenge }
}

const logOut: OpenRule = (model, { session }) => {
  endOf(model, session)
  return { ...ok(204), headers: { "set-cookie": "solar_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0" } }
}

export const openSessionRules = { logIn, logOut }

const getSession: Rule = (turn) => {
  const { session } = turn.caller
  if (session === null) throw new Error("the call has no session")
  return ok(200, sessionJson(turn.organisation, session))
}

export const sessionRules: Readonly<Record<string, Rule>> = { getSession }
