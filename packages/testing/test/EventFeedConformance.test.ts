import { CurrentCaller, Event, EventRepository, Records } from "@solar-sites/core"
import { eventRepositoryConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { type Database, notices } from "./breaking.ts"
import { afterwards } from "./EventBreaking.ts"

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
    noticedBy: [reader]
  }
])

const earlier = afterwards((written) =>
  written.map((event) => new Event({ ...event, occurredAt: DateTime.subtract(event.occurredAt, { days: 1 }) }))
)

/** Rewrites the events of the commits of one operation. */
const rewriting =
  (operation: string, rewrite: ReturnType<typeof afterwards>) =>
  ({ commit }: Records["Service"], database: Database): Partial<Records["Service"]> => ({
    commit: (of, id, change) =>
      of === operation ? rewrite(database, id, commit(of, id, change)) : commit(of, id, change)
  })

notices(eventRepositoryConformance, Records, [
  {
    breakage: "writes the time of yesterday",
    replace: rewriting("SiteRepository.insert", earlier),
    noticedBy: [instants]
  },
  {
    breakage: "takes any caller for the actor",
    replace: ({ commit }) => ({
      commit: (operation, id, change) =>
        Effect.withFiber((fiber) => {
          const caller = fiber.context.mapUnsafe.get(CurrentCaller.key) as CurrentCaller["Service"] | undefined
          if (caller === undefined) return commit(operation, id, change)
          const { apiKeyId, keyPrefix = null, userId } = caller
          return commit(operation, id, {
            ...change,
            origin: { ...change.origin, actor: { userId, apiKeyId, keyPrefix } }
          })
        })
    }),
    noticedBy: ["names no caller of another organisation as the actor"]
  }
])
