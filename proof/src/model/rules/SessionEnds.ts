/**
 * Ends of sessions, and the answer that says why one has ended (docs/console.md).
 */
import { type OpenRule, type Origin, ok } from "../Call.ts"
import { Hole, isRecord } from "../Match.ts"
import type { ModelState, Organisation } from "../ModelState.ts"
import type { Session, SessionEnd, User } from "../PeopleState.ts"

const remembered = 7 * 86_400_000

export const end = (session: Session, reason: SessionEnd, now: number): void => {
  session.end ??= now < session.idleEnd ? reason : "any"
}

/** All sessions of a user but the kept one. */
export const endSessions = (
  { at, organisation: { sessions } }: Pick<Origin, "organisation" | "at">,
  userId: string,
  reason: SessionEnd,
  kept?: Session | null
): void => {
  for (const session of sessions) if (session.userId === userId && session !== kept) end(session, reason, at["@from"])
}

/** A new password, or another state of the second factor: links end too. */
export const credentialsChanged = (
  origin: Pick<Origin, "organisation" | "at">,
  user: User,
  kept?: Session | null
): void => {
  user.passwordVersion += 1
  endSessions(origin, user.id, "password", kept)
}

/** Ends the session of a cookie, if there is one. */
export const endOf = ({ organisations }: ModelState, token: string | null | undefined, now: number): void => {
  for (const { sessions } of organisations) {
    for (const session of sessions) if (session.token === token) end(session, "ended", now)
  }
}

const nothing = { reason: null, endedAt: null }

/** By the clock of the database, which is another one in a test: a lapse may be taken for an end. */
const reasonsOf = ({ end: reason, expiresAt, idleEnd }: Session): ReadonlyArray<string> => {
  if (reason === "password" || reason === "removed") return [reason]
  if (reason === "ended") return ["ended", "idle", "expired"]
  const lapse = idleEnd >= expiresAt["@from"] ? "expired" : "idle"
  return reason === "any" ? [lapse, "ended", "password", "removed"] : [lapse]
}

const isNothing = (found: unknown): boolean => isRecord(found) && found["reason"] === null && found["endedAt"] === null

const isEnd = (found: unknown, reasons: ReadonlyArray<string>): boolean =>
  isRecord(found) &&
  Object.keys(found).length === 2 &&
  reasons.includes(String(found["reason"])) &&
  !Number.isNaN(Date.parse(String(found["endedAt"])))

const sessionWith = ({ organisations }: ModelState, token: string | null | undefined): Session | undefined => {
  const living = organisations.filter(({ status }: Organisation) => status !== "deleted")
  return living.flatMap(({ sessions }) => sessions).find((session) => session.token === token)
}

export const getSessionEnd: OpenRule = (model, { session: token }, { from: now }) => {
  const session = sessionWith(model, token)
  if (session === undefined || (session.end === null && now < session.idleEnd)) return ok(200, nothing)
  const reasons = reasonsOf(session)
  // It is forgotten at some time after the seven days.
  const mayBeForgotten = now >= session.createdAt["@from"] + remembered
  return ok(
    200,
    new Hole(
      `the end of a session: ${reasons.join(" or ")}`,
      (found) => isEnd(found, reasons) || (mayBeForgotten && isNothing(found))
    )
  )
}
