/**
 * How documents of a `DocumentRepository` go, by themselves or with their site,
 * and what they are to their site while they are there.
 */
import {
  type Document,
  DocumentNotFound,
  DocumentRepository,
  type Site,
  SiteNotFound,
  SiteRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Effect } from "effect"
import { aSite } from "../fixtures.ts"
import { assert } from "./Assert.ts"
import type { ConformanceCase } from "./Conformance.ts"
import {
  afterDeletions,
  claimedFiles,
  type DocumentPorts,
  documentIn,
  documentNow,
  documentOf,
  farAway,
  ownSite,
  statuses,
  stepped,
  storedDocument
} from "./DocumentSetup.ts"
import { race, refused, repeatedly, succeeded, succeededUnless } from "./Expectations.ts"
import { evenLater, later, siteNow, storedSite } from "./Setup.ts"

const everything = { after: null, limit: 1_000 }
const atOnce = { concurrency: "unbounded" } as const

const pathsOf = (documents: ReadonlyArray<Document>) => documents.map(({ path }) => path).sort()

const covered = (site: Site, coverImageUrl: string | null, version: number, updatedAt = later): Site =>
  aSite({ ...site, coverImageUrl, updatedAt, version })

export const documentDeletionCases: ReadonlyArray<ConformanceCase<DocumentPorts>> = [
  {
    name: "makes a cover image its site's cover when it is uploaded, the latest in place of the one before",
    check: Effect.gen(function* () {
      const site = yield* ownSite
      const bystander = yield* storedSite(site.organisationId)
      const [first, second] = [
        yield* storedDocument(site, { type: "coverImage" }),
        yield* storedDocument(site, { type: "coverImage" })
      ]
      assert.deepEqual(yield* siteNow(site), site, "a pending cover image is no cover yet")
      yield* stepped(second, "uploaded")
      assert.deepEqual(yield* siteNow(site), covered(site, second.path, 2), "a change of the site, which counts")
      yield* stepped(first, "uploaded")
      assert.deepEqual(yield* siteNow(site), covered(site, first.path, 3), "the latest to be uploaded wins")
      yield* stepped(first, "approved", "completed")
      assert.deepEqual(yield* siteNow(site), covered(site, first.path, 3), "further steps are no change of the site")
      yield* stepped(yield* storedDocument(site, { type: "coverImage" }), "failed")
      for (const type of ["report", "om-documents", "documents"] as const) yield* documentIn(site, "uploaded", { type })
      assert.deepEqual(yield* siteNow(site), covered(site, first.path, 3), "nothing else is a cover")
      assert.deepEqual(yield* siteNow(bystander), bystander, "other sites stay as they were")
    })
  },
  {
    name: "takes a rejected cover image off its site, and no other cover",
    check: Effect.gen(function* () {
      const site = yield* ownSite
      const [replaced, current] = [
        yield* documentIn(site, "uploaded", { type: "coverImage" }),
        yield* documentIn(site, "uploaded", { type: "coverImage" })
      ]
      yield* stepped(replaced, "failed")
      assert.deepEqual(yield* siteNow(site), covered(site, current.path, 3), "it was no cover any more")
      yield* stepped(current, "failed")
      assert.deepEqual(yield* siteNow(site), covered(site, null, 4), "a change of the site, which counts")
    })
  },
  {
    name: "leaves the site as it is when the step of its cover image is refused",
    check: Effect.gen(function* () {
      const repository = yield* DocumentRepository
      const site = yield* ownSite
      const document = yield* storedDocument(site, { type: "coverImage" })
      const stale = { at: later, expectedVersions: [9] }
      yield* refused(
        repository.step(site.organisationId, document.id, { to: "uploaded" }, stale),
        VersionMismatch,
        "a stale step"
      )
      yield* stepped(document, "failed")
      yield* Effect.exit(repository.step(site.organisationId, document.id, { to: "uploaded" }, { at: later }))
      assert.deepEqual(yield* siteNow(site), site, "what was not uploaded is no cover")
    })
  },
  {
    name: "takes the cover from the site when its document is deleted, and no other cover",
    check: Effect.gen(function* () {
      const [repository, sites] = [yield* DocumentRepository, yield* SiteRepository]
      const site = yield* ownSite
      const { organisationId } = site
      const remove = ({ id }: Document) => repository.delete(organisationId, id, { at: evenLater })
      const older = yield* documentIn(site, "uploaded", { type: "coverImage" })
      const latest = yield* documentIn(site, "uploaded", { type: "coverImage" })
      yield* remove(older)
      assert.deepEqual(yield* siteNow(site), covered(site, latest.path, 3), "it was the cover no more")
      yield* remove(latest)
      assert.deepEqual(yield* siteNow(site), covered(site, null, 4, evenLater), "none afterwards, which counts")
      const replaced = yield* documentIn(site, "uploaded", { type: "coverImage" })
      const coverImageUrl = "https://images.example/a.jpg"
      yield* sites.update(organisationId, site.id, { coverImageUrl }, { at: later })
      yield* remove(replaced)
      assert.deepEqual(yield* siteNow(site), covered(site, coverImageUrl, 6), "somebody has chosen another one")
      const detached = yield* documentIn(site, "uploaded", { type: "coverImage" })
      yield* sites.update(organisationId, site.id, { coverImageUrl: null }, { at: later })
      yield* remove(detached)
      assert.deepEqual(yield* siteNow(site), covered(site, null, 8), "somebody has detached it")
    })
  },
  {
    name: "loses no change of the site when a cover image arrives at the same time",
    check: repeatedly(
      Effect.gen(function* () {
        const sites = yield* SiteRepository
        const site = yield* ownSite
        const covers = [
          yield* storedDocument(site, { type: "coverImage" }),
          yield* storedDocument(site, { type: "coverImage" })
        ]
        const steps = covers.map((document) => Effect.asVoid(stepped(document, "uploaded")))
        const rename = Effect.asVoid(sites.update(site.organisationId, site.id, { siteName: "Renamed" }, { at: later }))
        yield* Effect.all([...steps, rename], atOnce)
        const now = yield* siteNow(site)
        assert.deepEqual([now?.siteName, now?.version], ["Renamed", 4], "every change is there, and counted")
        assert.ok(
          pathsOf(covers).some((path) => path === now?.coverImageUrl),
          `one of both is the cover, not ${now?.coverImageUrl}`
        )
      })
    )
  },
  {
    name: "deletes a document in any state, once, and lists its file",
    check: Effect.gen(function* () {
      const repository = yield* DocumentRepository
      const site = yield* ownSite
      const { organisationId } = site
      const kept = yield* storedDocument(site)
      const documents = yield* Effect.forEach(statuses, (status) => documentIn(site, status))
      for (const { id, version } of documents) {
        for (const expectedVersions of [[version + 1], []]) {
          const remove = repository.delete(organisationId, id, { at: evenLater, expectedVersions })
          const stale = yield* refused(remove, VersionMismatch, `a delete of ${JSON.stringify(expectedVersions)}`)
          assert.equal(stale.actual, version, "the refusal tells the version there is")
        }
      }
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [kept, ...documents])
      assert.deepEqual(
        yield* claimedFiles([organisationId], yield* afterDeletions),
        [],
        "a refused delete lists nothing"
      )
      for (const { id, version } of documents) {
        yield* repository.delete(organisationId, id, { at: evenLater, expectedVersions: [9, version] })
        yield* refused(repository.delete(organisationId, id, { at: evenLater }), DocumentNotFound, "a second delete")
      }
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [kept], "others stay")
      assert.deepEqual(yield* claimedFiles([organisationId], yield* afterDeletions), pathsOf(documents), "their files")
      assert.deepEqual(yield* siteNow(site), site, "the site stays as it was")
    })
  },
  {
    name: "lets one of two concurrent deletes succeed",
    check: repeatedly(
      Effect.gen(function* () {
        const repository = yield* DocumentRepository
        const { id, organisationId } = yield* storedDocument(yield* ownSite)
        const remove = repository.delete(organisationId, id, { at: later })
        const results = yield* race(remove, remove)
        const wins = results.map((result) => succeededUnless(result, DocumentNotFound, "the other one finds nothing"))
        assert.deepEqual(wins.sort(), [false, true], "one of them deleted it")
      })
    )
  },
  {
    name: "takes the documents of a deleted site with it, and lists their files",
    check: Effect.gen(function* () {
      const [repository, sites] = [yield* DocumentRepository, yield* SiteRepository]
      const site = yield* ownSite
      const { organisationId } = site
      const bystander = yield* storedDocument(yield* storedSite(organisationId))
      const gone = yield* Effect.forEach(statuses, (status) => documentIn(site, status, { type: "coverImage" }))
      yield* Effect.exit(sites.delete(organisationId, site.id, [999]))
      assert.equal((yield* repository.list(organisationId, {}, everything)).items.length, 6, "a refused delete")
      yield* sites.delete(organisationId, site.id)
      for (const document of gone) assert.equal(yield* documentNow(document), null)
      assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [bystander], "others stay")
      assert.deepEqual(yield* claimedFiles([organisationId], yield* afterDeletions), pathsOf(gone), "their files, all")
    })
  },
  {
    name: "leaves no document without its site, nor a file unlisted, when both are made and deleted at once",
    check: repeatedly(
      Effect.gen(function* () {
        const [repository, sites] = [yield* DocumentRepository, yield* SiteRepository]
        const site = yield* ownSite
        const { organisationId } = site
        const before = yield* storedDocument(site, { type: "coverImage" })
        const batches = Array.from({ length: 6 }, () => [documentOf(site), documentOf(site)])
        const insert = (batch: ReadonlyArray<Document>) =>
          Effect.result(repository.insertMany(organisationId, site.id, batch, farAway))
        // Some of the inserts begin before the delete, others after it.
        const [early, deleted, , late] = yield* Effect.all(
          [
            Effect.forEach(batches.slice(0, 3), insert, atOnce),
            Effect.result(sites.delete(organisationId, site.id)),
            Effect.result(stepped(before, "uploaded")),
            Effect.forEach(batches.slice(3), insert, atOnce)
          ],
          atOnce
        )
        succeeded(deleted, "the site can be deleted")
        const inserted = [...early, ...late].map((result) =>
          succeededUnless(result, SiteNotFound, "an insert is too late for the site")
        )
        const came = batches.filter((_, index) => inserted[index])
        assert.deepEqual((yield* repository.list(organisationId, {}, everything)).items, [], "no document is left")
        const vanished = pathsOf([before, ...came.flat()])
        assert.deepEqual(yield* claimedFiles([organisationId], yield* afterDeletions), vanished, "every file is listed")
      })
    )
  }
]
