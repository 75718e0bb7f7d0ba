/** What a new version of the password, or of the second factor, does with the sessions of a user. */
import type { Write } from "@solar-sites/core"
import { makeUnchecked } from "@solar-sites/core"
import { removing, updating } from "../Commands.ts"
import { changedUser, type StoredUser, type UserRecord, userKind } from "../people/UserKind.ts"
import { type AnySession, SessionRecord, sessionKind } from "./SessionKind.ts"

/**
 * The user with the next version of the password and changed members. All sessions end but those for which `isKept` is
 * true, which get the new version. A login that was verified with the old version opens none.
 */
export const withNextVersion = (
  user: StoredUser,
  sessions: ReadonlyArray<AnySession>,
  members: Partial<UserRecord>,
  isKept: (session: SessionRecord) => boolean = () => false
): { readonly after: UserRecord; readonly writes: ReadonlyArray<Write> } => {
  const passwordVersion = user.record.passwordVersion + 1
  const after = changedUser(user.record, { ...members, passwordVersion })
  const ends = sessions.map((session) =>
    isKept(session.record)
      ? updating(sessionKind, session, makeUnchecked(SessionRecord, { ...session.record, passwordVersion }))
      : removing(sessionKind, session)
  )
  return { after, writes: [updating(userKind, user, after), ...ends] }
}
