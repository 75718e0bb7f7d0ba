import { CalendarDate, type DocumentRepository, documentKind } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { inRecords, inRepository, memory } from "./DocumentRepositoryBreaking.ts"
import { loadingEverywhere, storing } from "./StoreBreaking.ts"

const documents = "claims, deletes and lists documents and files as core does, in organisations with the same ids"

type Service = DocumentRepository["Service"]

const filters = "finds and sorts documents as core does (random records 1)"
const filename = "keeps a filename exactly as it is"
const members = "keeps every member, set or null"

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
    breakage: "ignores the organisation in load",
    breaks: inRecords(loadingEverywhere),
    noticedBy: [documents]
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
    noticedBy: [documents]
  },
  {
    breakage: "composes the characters of filenames",
    breaks: inRecords(storing(documentKind, (document) => ({ filename: document.filename.normalize("NFC") }))),
    noticedBy: [filename]
  },
  {
    breakage: "trims filenames",
    breaks: inRecords(storing(documentKind, (document) => ({ filename: document.filename.trim() }))),
    noticedBy: [filename]
  },
  {
    breakage: "takes the last part of a filename for the name",
    breaks: inRecords(storing(documentKind, (document) => ({ filename: document.filename.split("/").at(-1) ?? "" }))),
    noticedBy: [filename]
  },
  {
    breakage: "stores sizes in 32 bits",
    breaks: inRecords(storing(documentKind, ({ sizeBytes }) => ({ sizeBytes: sizeBytes && sizeBytes % 2 ** 31 }))),
    noticedBy: [members]
  },
  {
    breakage: "takes an empty file for one of unknown size",
    breaks: inRecords(storing(documentKind, ({ sizeBytes }) => ({ sizeBytes: sizeBytes || null }))),
    noticedBy: [members]
  },
  {
    breakage: "forgets who uploaded",
    breaks: inRecords(storing(documentKind, () => ({ uploadedBy: null }))),
    noticedBy: [members]
  },
  {
    breakage: "forgets notes",
    breaks: inRecords(storing(documentKind, () => ({ note: null }))),
    noticedBy: [members]
  },
  {
    breakage: "stores days as instants of another time zone",
    breaks: inRecords(
      storing(documentKind, ({ validUntil }) => ({
        validUntil:
          validUntil && CalendarDate.make(DateTime.formatIsoDateUtc(DateTime.makeUnsafe(`${validUntil}T00:00+01:00`)))
      }))
    ),
    noticedBy: [members]
  },
  ...(["siteId", "type", "documentType", "status", "omRecordId"] as const).map(without),
  {
    breakage: "lists the latest first",
    breaks: listing(({ hasMore, items }) => ({ items: items.toReversed(), hasMore })),
    noticedBy: [documents]
  },
  {
    breakage: "takes every full page for one that is followed",
    breaks: listing(({ items }, limit) => ({ items, hasMore: items.length === limit })),
    noticedBy: [documents]
  },
  {
    breakage: "knows of no further page",
    breaks: listing(({ items }) => ({ items, hasMore: false })),
    noticedBy: [documents]
  }
])
