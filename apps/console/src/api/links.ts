/**
 * What the holder of a link can do without a session. The token is the permission; it travels in
 * bodies only.
 */
import type { Session } from "./Console.ts"
import { exchange } from "./exchange.ts"
import type { Role } from "./people.ts"

export interface ReceivedInvitation {
  readonly organisation: string
  readonly inviter: string
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly expiresAt: string
}

export interface Acceptance {
  readonly token: string
  readonly name: string
  readonly password: string
}

interface Changed {
  readonly email: string
}

const invitations = "/console/invitations"
const resets = "/console/password-resets"

export const lookAtInvitation = (token: string) =>
  exchange<ReceivedInvitation>({ method: "POST", path: `${invitations}/look`, body: { token } })
export const acceptInvitation = (body: Acceptance) =>
  exchange<Session>({ method: "POST", path: `${invitations}/accept`, body })

/** Answers the same for known and unknown addresses. */
export const requestPasswordReset = (email: string) => exchange<void>({ method: "POST", path: resets, body: { email } })
export const resetPassword = (body: { readonly token: string; readonly password: string }) =>
  exchange<Changed>({ method: "POST", path: `${resets}/complete`, body })
export const confirmEmail = (token: string) =>
  exchange<Changed>({ method: "POST", path: "/console/email-confirmations", body: { token } })
