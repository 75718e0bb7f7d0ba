/**
 * Setup of the cases about stored records: changes of sites, made without rules.
 */
import {
  type Change,
  changesBetween,
  eventOrigins,
  type OrganisationId,
  Records,
  type Site,
  type SiteId,
  Stale,
  type Stored,
  siteKind,
  siteMembers
} from "@solar-sites/core"
import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { EventPorts } from "./EventSetup.ts"

/** Ports of the cases about records. */
export type RecordsPorts = Records | EventPorts

const operation = "Records"

/** A change of one site, with its event. */
const siteChange = Effect.fnUntraced(function* (before: Stored<Site> | null, after: Site) {
  const origin = yield* (yield* eventOrigins)(after.organisationId)
  return {
    writes: [{ kind: siteKind, id: after.id, before, after }],
    reads: [],
    at: after.updatedAt,
    events: [
      {
        type: before === null ? "site.created" : "site.updated",
        subjectId: after.id,
        subjectName: after.siteName,
        siteId: after.id,
        changes: changesBetween(siteMembers, before?.record ?? null, after)
      }
    ],
    origin
  } satisfies Change
})

/** Commits one change that creates sites. */
export const commitSites = Effect.fnUntraced(function* (organisationId: OrganisationId, sites: ReadonlyArray<Site>) {
  const changes = yield* Effect.forEach(sites, (site) => siteChange(null, site))
  const [first] = changes
  assert.ok(first, "a site")
  const [writes, events] = [changes.flatMap((one) => one.writes), changes.flatMap((one) => one.events)]
  return yield* (yield* Records).commit(operation, organisationId, { ...first, writes, events })
})

/** Commits a change of one site. */
export const commitSite = Effect.fnUntraced(function* (
  organisationId: OrganisationId,
  before: Stored<Site> | null,
  after: Site
) {
  return yield* (yield* Records).commit(operation, organisationId, yield* siteChange(before, after))
})

/** The stored site with its revision, or null. */
export const loadSite = Effect.fnUntraced(function* (organisationId: OrganisationId, id: SiteId) {
  const find = { kind: siteKind, by: "id", values: [id] }
  return (yield* (yield* Records).load(operation, organisationId, [find])).byId(siteKind, id)
})

/** Commits a new site and loads it. */
export const createdSite = Effect.fnUntraced(function* (organisationId: OrganisationId, overrides?: Partial<Site>) {
  const site = aSite({ ...overrides, organisationId })
  assert.equal((yield* commitSite(organisationId, null, site))._tag, "Committed", "the outcome of a creation")
  return yield* loadedSite(organisationId, site.id)
})

/** The stored site, which is there. */
export const loadedSite = Effect.fnUntraced(function* (organisationId: OrganisationId, id: SiteId) {
  const stored = yield* loadSite(organisationId, id)
  assert.ok(stored !== null, "a stored site")
  return stored
})

/** The site after a change of some members. */
export const changed = ({ record }: Stored<Site>, members: Partial<Site>): Site =>
  aSite({ ...record, ...members, version: record.version + 1 })

export const isStale = (outcome: { readonly _tag: string }): boolean => outcome instanceof Stale
