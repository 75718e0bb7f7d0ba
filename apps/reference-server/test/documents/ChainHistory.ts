/**
 * A random history of the revisions of one site: rounds of concurrent changes, after each of which
 * all chains are whole.
 */
import assert from "node:assert/strict"
import {
  type Document,
  DocumentNotFound,
  DocumentRepository,
  documentRecords,
  InvalidTransition,
  OrganisationRepository,
  type Records,
  type SiteRepository,
  siteRecords,
  uncountedPageSize
} from "@solar-sites/core"
import { aDocument, anOrganisation, aSite } from "@solar-sites/testing"
import { Context, DateTime, Effect, Random, Result } from "effect"

type Change = Effect.Effect<unknown, unknown>

export type ChainPorts = DocumentRepository | OrganisationRepository | Records | SiteRepository

const at = DateTime.makeUnsafe("2026-10-25T00:59:59.501Z")
const farFuture = DateTime.makeUnsafe("2400-01-01T00:00:00.000Z")

// A larger page is counted in bytes, which takes longer than all else.
const pageSize = uncountedPageSize
/** Six changes add up to twelve more. */
const mostDocuments = pageSize - 12

const isArrived = ({ status }: Document): boolean => status !== "pending" && status !== "failed"

/** The chain of a document by the links, newest first. */
const chainOf = (byId: ReadonlyMap<string, Document>, member: Document): ReadonlyArray<Document> => {
  const seen = new Set<Document>()
  const follow = (from: Document, link: "replacedBy" | "replaces"): Document => {
    assert.ok(!seen.has(from), "a chain has no circle")
    seen.add(from)
    const next = byId.get(from[link] ?? "")
    return next === undefined ? from : follow(next, link)
  }
  const newest = follow(member, "replacedBy")
  seen.clear()
  follow(newest, "replaces")
  return [...seen]
}

// Assertions of Node: a million of those of Vitest take ten seconds.
const expectWhole = (byId: ReadonlyMap<string, Document>): void => {
  for (const document of byId.values()) {
    const { id, replacedBy, replaces } = document
    if (replacedBy !== null) assert.equal(byId.get(replacedBy)?.replaces, id, "a successor names its predecessor")
    const predecessor = byId.get(replaces ?? "")
    if (replaces !== null) assert.ok(predecessor, "what is replaced is there")
    if (predecessor && isArrived(document)) {
      assert.equal(predecessor.replacedBy, id, "an arrived document is the successor of what it replaces")
    }
  }
}

/** The instances share one database. */
export const runChainHistory = Effect.fnUntraced(function* (
  instances: readonly [Context.Context<ChainPorts>, Context.Context<ChainPorts>],
  rounds: number
) {
  const [first] = instances
  const commands = [
    yield* Effect.provide(documentRecords, instances[0]),
    yield* Effect.provide(documentRecords, instances[1])
  ] as const
  const repository = Context.get(first, DocumentRepository)
  const organisation = anOrganisation()
  const organisationId = organisation.id
  const site = aSite({ organisationId })
  yield* Context.get(first, OrganisationRepository).insert(organisation)
  yield* (yield* Effect.provide(siteRecords, first)).insert(organisationId, site)

  const stored = Effect.map(repository.list(organisationId, {}, { after: null, limit: pageSize }), (page) => {
    assert.ok(!page.hasMore, "all documents are on one page")
    return page.items
  })

  const changeOf = Effect.fnUntraced(function* (documents: ReadonlyArray<Document>): Effect.fn.Return<Change> {
    const [{ delete: remove, insertMany, step, update } = commands[0]] = yield* Random.shuffle(commands)
    const [one, two] = yield* Random.shuffle(documents)
    const choice = yield* Random.nextIntBetween(0, 10)
    if (one === undefined || documents.length < 4 || (choice < 3 && documents.length < mostDocuments)) {
      const replacing = [one?.id ?? null, two?.id ?? null].map((replaces) =>
        aDocument({ organisationId, siteId: site.id, replaces })
      )
      return insertMany(organisationId, site.id, replacing, farFuture)
    }
    if (choice < 6) return step(organisationId, one.id, { to: "uploaded" }, { at })
    if (choice === 6) return step(organisationId, one.id, { to: "failed" }, { at })
    if (choice === 7) return update(organisationId, one.id, { note: `${choice}` }, { at })
    return remove(organisationId, one.id, { at })
  })

  let before = yield* stored
  for (let round = 1; round <= rounds; round++) {
    const changes = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => changeOf(before))
    const results = yield* Effect.forEach(changes, (change) => Effect.result(change), { concurrency: "unbounded" })
    for (const result of results) {
      if (Result.isSuccess(result)) continue
      const isRefusal = result.failure instanceof DocumentNotFound || result.failure instanceof InvalidTransition
      assert.ok(isRefusal, `round ${round}: ${result.failure}`)
    }
    const after = yield* stored
    const byId = new Map(after.map((document) => [document.id, document]))
    expectWhole(byId)
    const versions = new Map(before.map(({ id, version }) => [id, version]))
    for (const { id, version } of after) assert.ok(version >= (versions.get(id) ?? 0), "versions only grow")
    before = after
    const [member] = yield* Random.shuffle(after)
    if (member === undefined) continue
    const listed = yield* repository.listRevisions(organisationId, member.id, { after: null, limit: pageSize })
    assert.deepEqual(listed.items, chainOf(byId, member), `round ${round}: the chain of a member`)
  }
})
