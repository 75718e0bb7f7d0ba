/**
 * State of users, their sessions, links and keys.
 */
import type { ApiScope } from "@solar-sites/core"
import type { Instant } from "./Match.ts"

/** From most to least. */
export const roles = ["owner", "admin", "member", "viewer"] as const

export type Role = (typeof roles)[number]

export interface User {
  id: string
  email: string
  name: string
  role: Role
  /** Null for a user of the provider. */
  password: string | null
  /** Counts changes of the password and of the second factor, which end links and sessions. */
  passwordVersion: number
  factor: Factor | null
  createdAt: Instant
  lastLoginAt: Instant | null
}

/** Second factor. `secret` is base32; it is active from `enabledAt` on. */
export interface Factor {
  secret: string
  enabledAt: Instant | null
  /** Number of the last used half minute. */
  lastStep: number
  /** Unused recovery codes. */
  codes: ReadonlyArray<string>
}

/** Why a session may have ended; `any` where it is not known. */
export type SessionEnd = "password" | "removed" | "ended" | "any"

/** A session of a user that may have been deleted. It ends without use at `idleEnd`, in milliseconds. */
export interface Session {
  /** Unknown until it is listed. */
  id: string | null
  token: string
  userId: string
  method: "password" | "link" | "oidc"
  /** Different for each session. */
  userAgent: string
  createdAt: Instant
  /** Instant of the last use that moved its end. */
  usedAt: Instant | null
  expiresAt: Instant
  idleEnd: number
  end: SessionEnd | null
}

/** A link for a new password or e-mail address. */
export interface UserLink {
  purpose: "reset" | "email"
  userId: string
  passwordVersion: number
  email: string
  token: string
  expiresAt: Instant
}

/** A user of an organisation at the provider. It stays when the user is deleted. */
export interface Identity {
  subject: string
  userId: string
}

/** A login that has gone to the provider. */
export interface PendingLogin {
  /** Cookie of the browser that began it. */
  cookie: string
  state: string
  /** Address of the provider, with the parameters of the request. */
  address: string
  /** Token of the session that the browser had. */
  replaces: string | null
  /** In milliseconds. */
  expiresAt: number
}

/** What the provider says for a code. */
export interface Grant {
  /** State of the login that the code is for. */
  state: string
  subject: string
  email: string
  isVerified: boolean
  role: Role
  /** Whether the token is for the login. */
  hasNonce: boolean
}

/** A mail that the service sends a moment after its answer. */
export interface Mail {
  to: string
  subject: string
  /** Its link fills the token of an invitation or of a link of this user. */
  readonly link: { readonly of: "invitation" | "reset" | "email"; readonly id: string } | null
  /** False where it must not be sent, unless the address changes hands before it is made. */
  readonly isDue: boolean
  received: boolean
}

export interface Invitation {
  id: string
  email: string
  name: string | null
  role: Role
  inviterId: string
  token: string
  createdAt: Instant
  expiresAt: Instant
}

export interface Key {
  id: string
  secret: string
  name: string
  prefix: string
  createdBy: string | null
  createdAt: Instant
  expiresAt: Instant
  /** Milliseconds from its creation; rotation repeats it. */
  life: number
  scopes: ReadonlyArray<ApiScope>
  /** The portfolios that it was limited to, deleted ones too; null without a limit. */
  portfolioIds: ReadonlyArray<string> | null
  deleted: boolean
}
