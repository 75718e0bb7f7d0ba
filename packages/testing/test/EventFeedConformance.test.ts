import { CurrentCaller, Event, EventRepository, SiteRepository } from "@solar-sites/core"
import { eventRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./breaking.ts"
import { afterwards, lose, loseLast, withoutActor, withoutChanges } from "./EventBreaking.ts"

const conditions = "lists the events that meet all conditions, in both orders, in pages of any size"
const instants = "takes the time from the clock, and never lets it descend along the sequence"
const isolation = "shows an organisation its own events only, where another one has the same ids"
const ownInstants = "finds instants among an organisation's own events, where another one has the same sequences"
const reader = "misses nothing for a reader that goes on from its last event, while others write"

const ignoring = (name: string) => ({
  breakage: `ignores the condition ${name}`,
  replace: ({ list }: EventRepository["Service"]): Partial<EventRepository["Service"]> => ({
    list: (id, conditions, page) => list(id, { ...conditions, [name]: undefined }, page)
  }),
  noticedBy: [conditions] as const
})

notices(eventRepositoryConformance, EventRepository, [
  ...["type", "subjectId", "siteId", "actorId", "from", "to"].map(ignoring),
  {
    breakage: "lists in ascending order only",
    replace: ({ list }) => ({ list: (id, conditions, page) => list(id, conditions, { ...page, order: "asc" }) }),
    noticedBy: [conditions]
  },
  {
    breakage: "knows of no further page",
    replace: ({ list }) => ({
      list: (...args) => Effect.map(list(...args), ({ items }) => ({ items, hasMore: false }))
    }),
    noticedBy: [conditions]
  },
  {
    breakage: "lists the events of all organisations",
    replace: ({ list }, database) => ({
      list: (_, ...rest) =>
        Effect.map(
          Effect.forEach([...database.keys()], (id) => list(id, ...rest)),
          (pages) => ({ items: pages.flatMap(({ items }) => items), hasMore: pages.some(({ hasMore }) => hasMore) })
        )
    }),
    noticedBy: [isolation]
  },
  {
    breakage: "finds instants among the events of all organisations",
    replace: ({ list }, database) => ({
      list: (id, { to, ...conditions }, page) =>
        Effect.map(list(id, { ...conditions, ...(to && { to }) }, page), ({ hasMore, items }) => {
          const later = [...database.values()]
            .flatMap(({ events }) => events.kept)
            .filter(({ occurredAt }) => to !== undefined && occurredAt.epochMilliseconds >= to.epochMilliseconds)
          const end = Math.min(...later.map(({ sequence }) => sequence))
          return { items: items.filter(({ sequence }) => sequence < end), hasMore }
        })
    }),
    noticedBy: [ownInstants]
  },
  {
    breakage: "shows an event before one of a lower sequence",
    replace: ({ list }) => {
      const hidden = new Set<number>()
      return {
        list: (...args) =>
          Effect.map(list(...args), ({ hasMore, items }) => {
            const late = items.at(-2)
            if (late === undefined || hidden.has(late.sequence)) return { items, hasMore }
            hidden.add(late.sequence)
            return { items: items.filter((event) => event !== late), hasMore }
          })
      }
    },
    noticedBy: [reader, "writes no event for a change of a key that is refused, nor for its uses"]
  }
])

const created = "writes an event for a new site, with the members that have a value"
const notCreated = "writes no event for a site that is refused, or stored already"
const batch = "writes one event per site of concurrent inserts"
const updated = "writes the old and new values of an update, and only those that differ"
const notUpdated = "writes no event for an update that is refused or changes nothing"
const deleted = "writes the events of a deleted site and of each of its documents"

const earlier = afterwards((written) =>
  written.map((event) => new Event({ ...event, occurredAt: DateTime.subtract(event.occurredAt, { days: 1 }) }))
)
const twice = afterwards((written) => written.flatMap((event) => [event, event]))
const withAllMembers = afterwards((written) =>
  written.map((event) => new Event({ ...event, changes: { address: { from: null, to: null }, ...event.changes } }))
)

notices(eventRepositoryConformance, SiteRepository, [
  {
    breakage: "writes no event for a new site",
    replace: ({ insert }, database) => ({ insert: (id, ...rest) => lose(database, id, insert(id, ...rest)) }),
    noticedBy: [created, batch]
  },
  {
    breakage: "writes an event for a site that is stored already",
    replace: ({ insert, update }) => ({
      insert: (id, site) =>
        Effect.tap(insert(id, site), (stored) =>
          stored.siteName === site.siteName
            ? Effect.void
            : Effect.ignore(update(id, site.id, { siteName: site.siteName }, { at: stored.updatedAt }))
        )
    }),
    noticedBy: [notCreated]
  },
  {
    breakage: "writes the time of yesterday",
    replace: ({ insert }, database) => ({ insert: (id, ...rest) => earlier(database, id, insert(id, ...rest)) }),
    noticedBy: [instants]
  },
  {
    breakage: "does not know who has created a site",
    replace: ({ insert }, database) => ({ insert: (id, ...rest) => withoutActor(database, id, insert(id, ...rest)) }),
    noticedBy: [batch]
  },
  {
    breakage: "takes any caller for the actor",
    replace: ({ insert }, database) => ({
      insert: (id, site) =>
        Effect.withFiber((fiber) => {
          const caller = fiber.context.mapUnsafe.get(CurrentCaller.key) as CurrentCaller["Service"] | undefined
          if (caller === undefined) return insert(id, site)
          const { apiKeyId, keyPrefix = null, userId } = caller
          return afterwards((written) =>
            written.map((event) => new Event({ ...event, actor: { userId, apiKeyId, keyPrefix } }))
          )(database, id, insert(id, site))
        })
    }),
    noticedBy: ["names no caller of another organisation as the actor"]
  },
  {
    breakage: "writes each event of an update twice",
    replace: ({ update }, database) => ({ update: (id, ...rest) => twice(database, id, update(id, ...rest)) }),
    noticedBy: [updated]
  },
  {
    breakage: "shows members that did not change",
    replace: ({ update }, database) => ({ update: (id, ...rest) => withAllMembers(database, id, update(id, ...rest)) }),
    noticedBy: [updated]
  },
  {
    breakage: "shows no changes",
    replace: ({ update }, database) => ({ update: (id, ...rest) => withoutChanges(database, id, update(id, ...rest)) }),
    noticedBy: [updated, "keeps text in events exactly as it is"]
  },
  {
    breakage: "writes an event for a refused update",
    replace: ({ update }) => ({
      update: (id, siteId, changes, options) =>
        Effect.tapError(update(id, siteId, changes, options), () =>
          Effect.ignore(update(id, siteId, { siteName: "Refused" }, { at: options.at }))
        )
    }),
    noticedBy: [notUpdated]
  },
  {
    breakage: "writes no event for the documents of a deleted site",
    replace: (intact, database) => ({ delete: (id, ...rest) => loseLast(database, id, intact.delete(id, ...rest)) }),
    noticedBy: [deleted]
  }
])
