/** Rules of accepted and mailed invitations as pure functions: records and a command in, a change or a refusal out. */
import { type EventOrigin, makeUnchecked, UserId } from "@solar-sites/core"
import type { DateTime } from "effect"
import { changing, inserting, type Rule, removing, unchanged, updating } from "../Commands.ts"
import { LinkRecord, linkKind } from "../login/LinkKind.ts"
import { User } from "../people/User.ts"
import { newUser, userEvent, userKind, userOf } from "../people/UserKind.ts"
import { stands } from "./InvitationRules.ts"

/**
 * Creates the user and ends the invitation. Null when it does not stand; `taken`, and the invitation stays, if a
 * user of any organisation has the address.
 */
export const acceptInvitation =
  (digest: string, name: string, passwordHash: string) =>
  (origin: EventOrigin): Rule<User | "taken" | null> =>
  (found) => {
    const link = found.by(linkKind, "digest", digest)
    if (link === null || !stands(found, link.record, origin.occurredAt)) return unchanged(null)
    if (found.isTaken(userKind, "login")) return unchanged("taken")
    const { email, id, organisationId, portfolioIds, role } = link.record
    const invited = { id: UserId.make(id), organisationId, email, name, role: role ?? "viewer", portfolioIds }
    const user = newUser(makeUnchecked(User, { ...invited, createdAt: origin.occurredAt }), passwordHash)
    const writes = [inserting(userKind, user), removing(linkKind, link)]
    return changing<User | "taken" | null>(userOf(user), origin, writes, [userEvent("user.created", null, user)])
  }

/** Does nothing if the token was replaced since. */
export const markMailed =
  (digest: string, mailedAt: DateTime.Utc) =>
  (origin: EventOrigin): Rule<void> =>
  (found) => {
    const link = found.by(linkKind, "digest", digest)
    if (link === null) return unchanged(undefined)
    const after = makeUnchecked(LinkRecord, { ...link.record, mailedAt })
    return changing(undefined, origin, [updating(linkKind, link, after)])
  }
