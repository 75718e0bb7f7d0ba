/** What a new version of the password, or of the second factor, does with the sessions of a user. */
import { type Find, type Found, makeUnchecked, type UserId, type Write } from "@solar-sites/core"
import { find, removing, updating } from "../Commands.ts"
import { changedUser, type StoredUser, type UserRecord, userKind } from "../people/UserKind.ts"
import { SessionRecord, sessionKind } from "./SessionKind.ts"

/** The user and its sessions. */
export const findsOfPassword = (userId: UserId): ReadonlyArray<Find> => [
  find(userKind, "id", userId),
  find(sessionKind, "userId", userId)
]

/**
 * The user with the next version of the password and changed members. All sessions end but those for which `isKept` is
 * true, which get the new version. A login that was verified with the old version opens none.
 */
export const withNextVersion = (
  found: Found,
  user: StoredUser,
  members: Partial<UserRecord>,
  isKept: (session: SessionRecord) => boolean = () => false
): { readonly after: UserRecord; readonly writes: ReadonlyArray<Write> } => {
  const passwordVersion = user.record.passwordVersion + 1
  const after = changedUser(user.record, { ...members, passwordVersion })
  const sessions = found.all(sessionKind, "userId", after.id).map((session) => {
    if (!isKept(session.record)) return removing(sessionKind, session)
    return updating(sessionKind, session, makeUnchecked(SessionRecord, { ...session.record, passwordVersion }))
  })
  return { after, writes: [updating(userKind, user, after), ...sessions] }
}
