/**
 * What the holder of a link can do without a session. The token is the permission; it travels in
 * bodies only.
 */
import type { Answer } from "./ask.ts"
import { exchange } from "./exchange.ts"

export type ReceivedInvitation = Answer<"POST /console/invitations/look">

interface Changed {
  readonly email: string
}

const resets = "/console/password-resets"

/** Answers the same for known and unknown addresses. */
export const requestPasswordReset = (email: string) => exchange<void>({ method: "POST", path: resets, body: { email } })
export const resetPassword = (body: { readonly token: string; readonly password: string }) =>
  exchange<Changed>({ method: "POST", path: `${resets}/complete`, body })
export const confirmEmail = (token: string) =>
  exchange<Changed>({ method: "POST", path: "/console/email-confirmations", body: { token } })
