/**
 * State of the model: plain maps, which `structuredClone` copies for the search of an order.
 */
import type * as Contract from "@solar-sites/core/model"
import type { DateTime } from "effect"
import type { SiteImport } from "./ImportState.ts"
import type { Instant } from "./Instant.ts"
import type { OperationName } from "./operations.ts"
import type { Grant, Identity, Invitation, Key, Mail, PendingLogin, Session, User, UserLink } from "./PeopleState.ts"

/** Members of an answer as the model keeps them: ids and labels as texts, instants as it knows them. */
type Plain<A> = A extends DateTime.Utc ? Instant : A extends string ? string : A
type Stored<A, Derived extends keyof A> = { -readonly [Name in Exclude<keyof A, Derived>]: Plain<A[Name]> }

/** `coverImageUrl` is given by a caller; an uploaded cover image counts instead, of which this is the document. */
export type Site = Stored<Contract.Site, "organisationId" | "capacityKw"> & { coverId: string | null }

export type Portfolio = Stored<Contract.Portfolio, "organisationId" | "siteCount" | "capacityKw">

export type Document = Stored<Contract.Document, "organisationId" | "path"> & { addressExpiresAt: Instant }

/** An issued upload address. */
export interface Address {
  documentId: string
  url: string
  headers: Record<string, string>
  fileSize: number | null
  expiresAt: Instant
  used: boolean
}

/** With the ids of the deliveries of tests, and the number of events before those that it is told. */
export type Webhook = Stored<Contract.Webhook, "lastDelivery"> & { tests: Array<string>; since: number }

export type Requirement = Stored<Contract.DocumentRequirement, never>

export interface Event {
  type: string
  occurredAt: Instant
  actor: { userId: string | null; apiKeyId: string | null; keyPrefix: string | null }
  subject: { type: string; id: string; name: string | null }
  siteId: string | null
  changes: Record<string, { from: unknown; to: unknown }>
  requestId: string | null
  /** Unknown until it is listed. */
  id: string | null
  sequence: number | null
}

/** An answer that is kept for a repetition. */
interface Kept {
  request: string
  status: number
  body: string
  until: number
}

export interface Organisation {
  id: string
  name: string
  /** Part of texts that this organisation stores; no other organisation may see it. */
  marker: string
  /** A deleted organisation stays here without records: its keys are refused. */
  status: "active" | "inactive" | "deleted"
  keys: Array<Key>
  sites: Map<string, Site>
  portfolios: Map<string, Portfolio>
  documents: Map<string, Document>
  addresses: Array<Address>
  /** Handed out so far; the end in milliseconds. */
  downloads: Array<{ readonly documentId: string; readonly url: string; readonly expiresAt: number }>
  webhooks: Map<string, Webhook>
  /** All secrets and subscriptions of webhooks, also of deleted ones. */
  webhookSecrets: Array<string>
  subscriptions: Array<{ readonly url: string; readonly events: ReadonlyArray<string> }>
  requirements: { version: number; entries: Array<Requirement> }
  events: Array<Event>
  users: Map<string, User>
  sessions: Array<Session>
  invitations: Map<string, Invitation>
  userLinks: Array<UserLink>
  /** Tokens of all invitations and links, also of ended ones. */
  links: Array<string>
  /** All recovery codes, also used ones. */
  recoveryCodes: Array<string>
  mails: Array<Mail>
  /** Domains of users who log in at the provider, sorted. */
  loginDomains: ReadonlyArray<string>
  identities: Array<Identity>
  requireSecondFactor: boolean
  /** Imports of sites that have begun, and the ids of all, oldest first. */
  imports: Map<string, SiteImport>
  importIds: Array<string>
  idempotency: Map<string, Kept>
  /** Ids of deleted records. */
  gone: Array<string>
}

/** Place in a list, which a cursor stands for. */
export interface Place {
  organisation: string
  operation: OperationName
  ids: ReadonlyArray<string>
  /** Parameters other than `limit` and `cursor`. */
  conditions: ReadonlyArray<readonly [string, string]>
  /** Value of the order and id of the last item. */
  after: readonly [string | number | null, string]
}

export interface ModelState {
  organisations: Array<Organisation>
  /** All ids seen so far. A new one must not be among them. */
  ids: Set<string>
  cursors: Map<string, Place>
  /** Whether the service sends mails; without them the answer of an invitation has its link. */
  hasMail: boolean
  /** Logins at the provider: pending ones, codes, and the user of the last answer. */
  provider: { pending: Array<PendingLogin>; readonly grants: Map<string, Grant>; userId: string }
  /** Time of the last request, in milliseconds. */
  now: number
}

export const emptyModel = (hasMail: boolean): ModelState => ({
  ...{ organisations: [], ids: new Set(), cursors: new Map() },
  hasMail,
  provider: { pending: [], grants: new Map(), userId: "" },
  now: 0
})

/** By id, which is by age. */
export const inOrder = <A extends { readonly id: string }>(records: Map<string, A>): ReadonlyArray<A> =>
  [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
