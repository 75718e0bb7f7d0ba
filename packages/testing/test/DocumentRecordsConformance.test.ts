import { CalendarDate, Document, type DocumentRepository, SiteNotFound } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inRepository, memory, whereverIs } from "./DocumentRepositoryBreaking.ts"

type Service = DocumentRepository["Service"]

const hides = "hides documents from every other organisation in every query"
const strangers = "changes no document of another organisation, nor one that is not there"
const filters = "lists the documents for which all conditions hold, in every combination"
const pages = "lists in ascending order of id, in pages of any size"
const filename = "keeps a filename exactly as it is"
const members = "keeps every member, set or null"
const again = "leaves documents unchanged when their ids are inserted again, and returns the stored ones in order"
const atOnce = "stores each document once and returns it to all of ten concurrent inserts"
const noSite = "refuses documents of a site that the organisation does not have, also when there is nothing to store"

const storing = (change: (document: Document) => Partial<Document>) =>
  inRepository(({ insertMany }) => ({
    insertMany: (owner, siteId, documents, expiresAt) =>
      insertMany(
        owner,
        siteId,
        documents.map((document) => new Document({ ...document, ...change(document) })),
        expiresAt
      )
  }))

const without = (member: "siteId" | "type" | "documentType" | "status" | "omRecordId") => ({
  breakage: `pays no heed to ${member} in a list`,
  breaks: inRepository(({ list }) => ({
    list: (owner, conditions, page) => {
      const { [member]: _, ...others } = conditions
      return list(owner, others, page)
    }
  })),
  noticedBy: [filters] as const
})

const listing = (change: (page: Effect.Success<ReturnType<Service["list"]>>, limit: number) => typeof page) =>
  inRepository(({ list }) => ({
    list: (owner, conditions, page) => Effect.map(list(owner, conditions, page), (found) => change(found, page.limit))
  }))

notices(documentRepositoryConformance, memory, [
  {
    breakage: "ignores the organisation in findById",
    breaks: inRepository(({ findById }, database) => ({
      findById: (owner, id) => findById(whereverIs(database, owner, id), id)
    })),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in findExisting",
    breaks: inRepository((_, database) => ({
      findExisting: (owner, ids) =>
        Effect.sync(() => new Set(ids.filter((id) => database.get(whereverIs(database, owner, id))?.documents.has(id))))
    })),
    noticedBy: [hides, "finds which of some ids are documents of the organisation"]
  },
  {
    breakage: "ignores the organisation in list with a siteId",
    breaks: inRepository(({ list }, database) => ({
      list: (owner, conditions, page) => {
        const { siteId } = conditions
        const found = [...database].find(([, { sites }]) => siteId !== undefined && sites.has(siteId))
        return list(found?.[0] ?? owner, conditions, page)
      }
    })),
    noticedBy: [hides]
  },
  {
    breakage: "ignores the organisation in step",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, ...rest) => step(whereverIs(database, owner, id), id, ...rest)
    })),
    noticedBy: [strangers]
  },
  {
    breakage: "ignores the organisation in reopen",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (owner, id, ...rest) => reopen(whereverIs(database, owner, id), id, ...rest)
    })),
    noticedBy: [strangers]
  },
  {
    breakage: "ignores the organisation in delete",
    breaks: inRepository((intact, database) => ({
      delete: (owner, id, ...rest) => intact.delete(whereverIs(database, owner, id), id, ...rest)
    })),
    noticedBy: [strangers]
  },
  {
    breakage: "composes the characters of filenames",
    breaks: storing((document) => ({ filename: document.filename.normalize("NFC") })),
    noticedBy: [filename]
  },
  {
    breakage: "trims filenames",
    breaks: storing((document) => ({ filename: document.filename.trim() })),
    noticedBy: [filename]
  },
  {
    breakage: "takes the last part of a filename for the name",
    breaks: storing((document) => ({ filename: document.filename.split("/").at(-1) ?? "" })),
    noticedBy: [filename]
  },
  {
    breakage: "stores sizes in 32 bits",
    breaks: storing(({ sizeBytes }) => ({ sizeBytes: sizeBytes && sizeBytes % 2 ** 31 })),
    noticedBy: [members]
  },
  {
    breakage: "takes an empty file for one of unknown size",
    breaks: storing(({ sizeBytes }) => ({ sizeBytes: sizeBytes || null })),
    noticedBy: [members]
  },
  {
    breakage: "forgets who uploaded",
    breaks: storing(() => ({ uploadedBy: null })),
    noticedBy: [members]
  },
  {
    breakage: "forgets notes",
    breaks: storing(() => ({ note: null })),
    noticedBy: [members]
  },
  {
    breakage: "stores days as instants of another time zone",
    breaks: storing(({ validUntil }) => ({
      validUntil:
        validUntil && CalendarDate.make(DateTime.formatIsoDateUtc(DateTime.makeUnsafe(`${validUntil}T00:00+01:00`)))
    })),
    noticedBy: [members]
  },
  ...(["siteId", "type", "documentType", "status", "omRecordId"] as const).map(without),
  {
    breakage: "lists the latest first",
    breaks: listing(({ hasMore, items }) => ({ items: items.toReversed(), hasMore })),
    noticedBy: [pages]
  },
  {
    breakage: "takes every full page for one that is followed",
    breaks: listing(({ items }, limit) => ({ items, hasMore: items.length === limit })),
    noticedBy: [pages]
  },
  {
    breakage: "knows of no further page",
    breaks: listing(({ items }) => ({ items, hasMore: false })),
    noticedBy: [pages]
  },
  {
    breakage: "returns the input instead of the stored record",
    breaks: inRepository(({ insertMany }) => ({
      insertMany: (owner, siteId, documents, expiresAt) =>
        Effect.as(insertMany(owner, siteId, documents, expiresAt), documents)
    })),
    noticedBy: [again, atOnce]
  },
  {
    breakage: "takes the id of another organisation for taken",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: Effect.fnUntraced(function* (owner, siteId, documents, expiresAt) {
        const stored = yield* insertMany(owner, siteId, documents, expiresAt)
        const theirs = [...database].filter(([id]) => id !== owner).flatMap(([, { documents }]) => [...documents])
        const all = new Map(theirs)
        return stored.map((document) => all.get(document.id)?.document ?? document)
      })
    })),
    noticedBy: ["returns new documents as inserted, whether or not another organisation has their ids"]
  },
  {
    breakage: "overwrites the stored record",
    breaks: inRepository(({ insertMany }, database) => ({
      insertMany: (owner, siteId, documents, expiresAt) => {
        for (const { id } of documents) database.get(owner)?.documents.delete(id)
        return insertMany(owner, siteId, documents, expiresAt)
      }
    })),
    noticedBy: [again, atOnce]
  },
  {
    breakage: "looks for no site when there is nothing to store",
    breaks: inRepository(({ insertMany }) => ({
      insertMany: (owner, siteId, documents, expiresAt) =>
        documents.length === 0 ? Effect.succeed([]) : insertMany(owner, siteId, documents, expiresAt)
    })),
    noticedBy: [noSite]
  },
  {
    breakage: "looks for the site a moment before it stores",
    breaks: inRepository((_, database) => ({
      insertMany: Effect.fnUntraced(function* (owner, siteId, documents, addressExpiresAt) {
        const owned = database.get(owner)
        if (!owned?.sites.has(siteId)) return yield* new SiteNotFound({ siteIds: [siteId] })
        yield* Effect.yieldNow
        for (const document of documents) {
          const { sizeBytes } = document
          owned.documents.set(document.id, {
            document,
            declaredBytes: sizeBytes,
            addressExpiresAt,
            dueAt: addressExpiresAt,
            refused: false,
            replacementRequests: 0
          })
        }
        return documents
      })
    })),
    noticedBy: [
      "leaves no document without a site and no file unlisted when inserts and the deletion of the site are concurrent",
      "names no deleted document when it is deleted while its replacement is inserted"
    ]
  }
])
