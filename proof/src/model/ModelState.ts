/**
 * State of the model: plain maps, which `structuredClone` copies for the search of an order.
 */
import type * as Contract from "@solar-sites/core/model"
import type { DateTime } from "effect"
import type { SiteImport } from "./ImportState.ts"
import type { Instant } from "./Match.ts"
import type { OperationName } from "./operations.ts"
import type { Grant, Identity, Invitation, Key, Mail, PendingLogin, Session, User, UserLink } from "./PeopleState.ts"

/** Members of an answer as the model keeps them: ids and labels as texts, instants as it knows them. */
type Plain<A> = A extends DateTime.Utc ? Instant : A extends string ? string : A
type Stored<A, Derived extends keyof A> = { -readonly [Name in Exclude<keyof A, Derived>]: Plain<A[Name]> }

/** `coverImageUrl` is given by a caller; an uploaded cover image counts instead, of which this is the document. */
export type Site = Stored<Contract.Site, "organisationId" | "capacityKw"> & { coverId: string | null }

export type Portfolio = Stored<Contract.Portfolio, "organisationId" | "siteCount" | "capacityKw">

export type Document = Stored<Contract.Document, "organisationId" | "path"> & { addressExpiresAt: Instant }

export interface Address {
  documentId: string
  url: string
  headers: Record<string, string>
  fileSize: number | null
  expiresAt: Instant
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

export type Organisation = ReturnType<typeof newOrganisation>

export const newOrganisation = (id: string, name: string, marker: string) => ({
  ...{ id, name },
  /** Part of texts that this organisation stores; no other organisation may see it. */
  marker,
  /** A deleted organisation stays here without records: its keys are refused. */
  status: "active" as "active" | "inactive" | "deleted",
  ...{ sites: new Map<string, Site>(), portfolios: new Map<string, Portfolio>() },
  ...{ documents: new Map<string, Document>(), webhooks: new Map<string, Webhook>() },
  requirements: { version: 0, entries: [] as Requirement[] },
  addresses: [] as Address[],
  /** Handed out so far; the end in milliseconds. */
  downloads: [] as { readonly documentId: string; readonly url: string; readonly expiresAt: number }[],
  /** All secrets and subscriptions of webhooks, also of deleted ones. */
  webhookSecrets: [] as string[],
  subscriptions: [] as { readonly url: string; readonly events: ReadonlyArray<string> }[],
  events: [] as Event[],
  ...{ keys: [] as Key[], users: new Map<string, User>(), sessions: [] as Session[] },
  ...{ invitations: new Map<string, Invitation>(), userLinks: [] as UserLink[] },
  /** Tokens of all invitations and links, also of ended ones. */
  links: [] as string[],
  /** All recovery codes, also used ones. */
  recoveryCodes: [] as string[],
  mails: [] as Mail[],
  /** Domains of users who log in at the provider, sorted. */
  loginDomains: [] as string[],
  identities: [] as Identity[],
  requireSecondFactor: false,
  /** Imports of sites that have begun, and the ids of all, oldest first. */
  ...{ imports: new Map<string, SiteImport>(), importIds: [] as string[] },
  /** Answers that are kept for a repetition. */
  idempotency: new Map<string, { request: string; status: number; body: string; until: number }>(),
  /** Ids of deleted records. */
  gone: [] as string[]
})

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

export type ModelState = ReturnType<typeof emptyModel>

/** With mails an invitation has its link in a mail; without them the answer has it. */
export const emptyModel = (hasMail: boolean) => ({
  hasMail,
  organisations: [] as Organisation[],
  /** All ids seen so far. A new one must not be among them. */
  ids: new Set<string>(),
  cursors: new Map<string, Place>(),
  /** Logins at the provider: pending ones, codes, and the user of the last answer. */
  provider: { pending: [] as PendingLogin[], grants: new Map<string, Grant>(), userId: "" },
  /** Time of the last request, in milliseconds. */
  now: 0
})

/** By id, which is by age. */
export const inOrder = <A extends { readonly id: string }>(records: Map<string, A>): ReadonlyArray<A> =>
  [...records.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
