/**
 * The own account, its sessions and second factor.
 */
import type { Answer } from "./ask.ts"
import { exchange } from "./exchange.ts"

export type OwnSession = Answer<"GET /console/sessions">["data"][number]

export interface SecondFactor {
  readonly enabled: boolean
  readonly enabledAt: string | null
  readonly recoveryCodesLeft: number
  /** True if the organisation demands one. */
  readonly required: boolean
  /** False for users who log in at a provider only. */
  readonly hasPassword: boolean
}

export interface FactorSecret {
  /** In base32, as authenticator apps accept it. */
  readonly secret: string
  /** `otpauth:` address, for a QR code. */
  readonly uri: string
}

export interface RecoveryCodes {
  readonly recoveryCodes: ReadonlyArray<string>
}

export type DigestChoice = "none" | "weekly" | "daily"

interface Account {
  readonly digest: DigestChoice
}

const account = "/console/account"
const factor = `${account}/second-factor`

export const getAccount = () => exchange<Account>({ method: "GET", path: account })
export const chooseDigest = (digest: DigestChoice) =>
  exchange<Account>({ method: "PUT", path: account, body: { digest } })
export const rename = (name: string) => exchange<unknown>({ method: "PUT", path: account, body: { name } })
export const changePassword = (body: { readonly currentPassword: string; readonly password: string }) =>
  exchange<void>({ method: "PUT", path: `${account}/password`, body })
export const requestEmailChange = (body: { readonly email: string; readonly password: string }) =>
  exchange<void>({ method: "POST", path: `${account}/email`, body })

export const getSecondFactor = () => exchange<SecondFactor>({ method: "GET", path: factor })
/** Makes a secret; it becomes active with the first code. */
export const beginSecondFactor = (password: string) =>
  exchange<FactorSecret>({ method: "POST", path: factor, body: { password } })
export const enableSecondFactor = (code: string) =>
  exchange<RecoveryCodes>({ method: "PUT", path: factor, body: { code } })
export const renewRecoveryCodes = (code: string) =>
  exchange<RecoveryCodes>({ method: "POST", path: `${factor}/recovery-codes`, body: { code } })
export const disableSecondFactor = (body: { readonly password: string; readonly code: string }) =>
  exchange<void>({ method: "DELETE", path: factor, body })
