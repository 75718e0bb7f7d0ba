import { CalendarDate, type OrganisationId } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { type Database, inMaintenance, memory } from "./DocumentRepositoryBreaking.ts"
import { ofAll } from "./withoutOrganisation.ts"

const inPages = "lists current documents that end, by the last day and the id, in pages of any size"
const announced = "lists an ending document until its last day was announced by the event of the day"
const byType = "lists ending documents up to the last day for their type"
const apart = "lists ending documents of one organisation alone"
const owners = "finds organisations with ending documents, each once, within their greatest notice"

/** Changes all documents while a method runs. */
const changing = (database: Database, members: object) => {
  for (const { documents } of database.values()) {
    for (const [id, document] of documents) documents.set(id, { ...document, ...members })
  }
}

const dayBefore = (day: CalendarDate) => CalendarDate.make(day.replace(/\d\d$/, (date) => `${Number(date) - 1}`))

notices(documentRepositoryConformance, memory, [
  {
    breakage: "lists ending documents by their ids alone",
    breaks: inMaintenance(({ listEnding }) => ({
      listEnding: (owner, conditions, page) =>
        Effect.map(listEnding(owner, conditions, page), ({ hasMore, items }) => ({
          items: items.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
          hasMore
        }))
    })),
    noticedBy: [inPages]
  },
  {
    breakage: "goes on behind a day, not behind a document",
    breaks: inMaintenance(({ listEnding }) => ({
      listEnding: (owner, conditions, { after, limit }) =>
        Effect.map(listEnding(owner, conditions, { after: null, limit: 1_000 }), ({ items }) => {
          const behind = items.filter(({ validUntil }) => after === null || validUntil > after.validUntil)
          return { items: behind.slice(0, limit), hasMore: behind.length > limit }
        })
    })),
    noticedBy: [inPages]
  },
  {
    breakage: "leaves out the last day itself",
    breaks: inMaintenance(({ listEnding }) => ({
      listEnding: (owner, { until, ...conditions }, page) =>
        listEnding(owner, { ...conditions, until: dayBefore(until) }, page)
    })),
    noticedBy: [inPages]
  },
  {
    breakage: "has one last day for all types",
    breaks: inMaintenance(({ listEnding }) => ({
      listEnding: (owner, conditions, page) => listEnding(owner, { ...conditions, untilOf: {} }, page)
    })),
    noticedBy: [byType]
  },
  {
    breakage: "lists expired documents of a type with a last day up to that day",
    breaks: inMaintenance(({ listEnding }) => ({
      listEnding: (owner, conditions, page) =>
        Effect.map(listEnding(owner, conditions, page), ({ hasMore, items }) => ({
          items: items.filter(({ documentType }) => documentType === null || !(documentType in conditions.untilOf)),
          hasMore
        }))
    })),
    noticedBy: [byType]
  },
  {
    breakage: "takes today for past",
    breaks: inMaintenance(({ listEnding }, database) => ({
      listEnding: (owner, conditions, page) =>
        Effect.map(listEnding(owner, conditions, page), ({ hasMore, items }) => ({
          items: items.filter(({ id, validUntil }) => {
            const document = database.get(owner)?.documents.get(id)
            return validUntil > conditions.today || document?.expiredAnnounced !== conditions.today
          }),
          hasMore
        }))
    })),
    noticedBy: [announced]
  },
  {
    breakage: "knows no portfolios",
    breaks: inMaintenance(({ listEnding }) => ({
      listEnding: (owner, conditions, page) =>
        Effect.map(listEnding(owner, conditions, page), ({ hasMore, items }) => ({
          items: items.map((item) => ({ ...item, portfolioId: null })),
          hasMore
        }))
    })),
    noticedBy: [inPages]
  },
  {
    breakage: "lists documents that are not current",
    breaks: inMaintenance(({ findEnding, listEnding }, database) => ({
      listEnding: (...given) =>
        Effect.suspend(() => {
          changing(database, { replacedBy: null, status: "uploaded" })
          return listEnding(...given)
        }),
      findEnding: (options) =>
        Effect.suspend(() => {
          changing(database, { replacedBy: null, status: "uploaded" })
          return findEnding(options)
        })
    })),
    noticedBy: [inPages, owners]
  },
  {
    breakage: "knows nothing of what was announced",
    breaks: inMaintenance(({ findEnding, listEnding }, database) => ({
      listEnding: (...given) =>
        Effect.suspend(() => {
          changing(database, { expiringAnnounced: null, expiredAnnounced: null })
          return listEnding(...given)
        }),
      findEnding: (options) =>
        Effect.suspend(() => {
          changing(database, { expiringAnnounced: null, expiredAnnounced: null })
          return findEnding(options)
        })
    })),
    noticedBy: [announced, owners]
  },
  {
    breakage: "takes any announced day for the last one",
    breaks: inMaintenance(({ listEnding }, database) => ({
      listEnding: (owner, conditions, page) =>
        Effect.map(listEnding(owner, conditions, page), ({ hasMore, items }) => ({
          items: items.filter(({ id }) => database.get(owner)?.documents.get(id)?.expiringAnnounced === null),
          hasMore
        }))
    })),
    noticedBy: [announced]
  },
  {
    breakage: "lists the documents of all organisations",
    breaks: inMaintenance(({ listEnding }, database) => ({ listEnding: ofAll(database)(listEnding) })),
    noticedBy: [apart]
  },
  {
    breakage: "finds organisations by the notice of the call alone",
    breaks: inMaintenance(({ findEnding }, database) => ({
      findEnding: (options) =>
        Effect.suspend(() => {
          for (const { requirements } of database.values()) requirements.clear()
          return findEnding(options)
        })
    })),
    noticedBy: [owners]
  },
  {
    breakage: "finds organisations by their requirements alone",
    breaks: inMaintenance(({ findEnding }) => ({ findEnding: (options) => findEnding({ ...options, notice: 0 }) })),
    noticedBy: [owners]
  },
  {
    breakage: "finds organisations in any order",
    breaks: inMaintenance(({ findEnding }) => ({
      findEnding: (options) => Effect.map(findEnding(options), (all) => all.toReversed())
    })),
    noticedBy: [owners]
  },
  {
    breakage: "finds organisations from the first one on",
    breaks: inMaintenance(({ findEnding }) => ({ findEnding: (options) => findEnding({ ...options, after: null }) })),
    noticedBy: [owners]
  },
  {
    breakage: "finds organisations without end",
    breaks: inMaintenance(({ findEnding }) => ({ findEnding: (options) => findEnding({ ...options, limit: 1_000 }) })),
    noticedBy: [owners]
  },
  {
    breakage: "finds an organisation once per document",
    breaks: inMaintenance(({ findEnding }) => ({
      findEnding: (options) =>
        Effect.map(findEnding(options), (all) => all.flatMap((id): ReadonlyArray<OrganisationId> => [id, id]))
    })),
    noticedBy: [owners]
  }
])
