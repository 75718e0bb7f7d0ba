import { CurrentCaller, Event, EventRepository, OrganisationRepository, PortfolioRepository } from "@solar-sites/core"
import {
  eventRepositoryConformance,
  organisationEventConformance,
  portfolioRepositoryConformance
} from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./breaking.ts"
import { afterwards, lose, loseLast, turn, withoutActor, withoutChanges } from "./EventBreaking.ts"
import { moving } from "./PortfolioBreaking.ts"

const portfolios = "moves sites, and deletes and lists portfolios as core does, in organisations with the same ids"
const portfoliosAtOnce = "moves sites and deletes portfolios at once as in some order"

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "writes no event for the last of the sites that are added",
    replace: (intact, database) =>
      moving(
        "into",
        (move) =>
          (id, ...rest) =>
            loseLast(database, id, move(id, ...rest))
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "does not know who has added sites",
    replace: (intact, database) =>
      moving(
        "into",
        (move) =>
          (id, ...rest) =>
            withoutActor(database, id, move(id, ...rest))
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "writes the events of added sites in another order",
    replace: (intact, database) =>
      moving(
        "into",
        (move) =>
          (id, ...rest) =>
            turn(database, id, move(id, ...rest))
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "writes no event for sites that are removed",
    replace: (intact, database) =>
      moving(
        "outOf",
        (move) =>
          (id, ...rest) =>
            lose(database, id, move(id, ...rest))
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "forgets what has changed about sites that are removed",
    replace: (intact, database) =>
      moving(
        "outOf",
        (move) =>
          (id, ...rest) =>
            withoutChanges(database, id, move(id, ...rest))
      )(intact),
    noticedBy: [portfolios]
  },
  {
    breakage: "writes no event for the last site of a deleted portfolio, or its requirements",
    replace: (intact, database) => ({ delete: (id, ...rest) => loseLast(database, id, intact.delete(id, ...rest)) }),
    noticedBy: [portfolios, portfoliosAtOnce]
  },
  {
    breakage: "moves sites although one of them is missing",
    replace: ({ moveSites }) => ({
      moveSites: (id, move, options) =>
        Effect.flatMap(moveSites(id, move, options), (found) => {
          if (found === null || found.missing.length === 0) return Effect.succeed(found)
          const siteIds = move.siteIds.filter((siteId) => !found.missing.includes(siteId))
          return Effect.as(moveSites(id, { ...move, siteIds }, options), found)
        })
    }),
    noticedBy: [portfolios]
  }
])

const organisation = "writes the name and the status of an organisation that change, and nothing for equal ones"

notices(organisationEventConformance, OrganisationRepository, [
  {
    breakage: "writes no event for a changed organisation",
    replace: ({ update }, database) => ({ update: (id, ...rest) => lose(database, id, update(id, ...rest)) }),
    noticedBy: [organisation]
  },
  {
    breakage: "writes an event for an equal organisation",
    replace: ({ update }) => ({
      update: (id, changes, origin) =>
        changes.name === undefined
          ? update(id, changes, origin)
          : Effect.andThen(update(id, { name: "Between" }, origin), update(id, changes, origin))
    }),
    noticedBy: [organisation]
  },
  {
    breakage: "takes a caller of another organisation for the actor",
    replace: ({ update }, database) => ({
      update: (id, ...rest) =>
        Effect.withFiber((fiber) => {
          const caller = fiber.context.mapUnsafe.get(CurrentCaller.key) as CurrentCaller["Service"] | undefined
          const named = afterwards((written) =>
            written.map((event) => new Event({ ...event, actor: { ...event.actor, userId: caller?.userId ?? null } }))
          )
          return named(database, id, update(id, ...rest))
        })
    }),
    noticedBy: ["writes the events of each organisation by itself, and never a caller of another one as the actor"]
  }
])

const purged = "deletes the oldest events before an instant, up to the limit, and keeps the others"
const found = "finds the organisations that have events from before an instant"
const deletedAll = "deletes all events of one organisation in steps"

notices(eventRepositoryConformance, EventRepository, [
  {
    breakage: "purges without a limit",
    replace: ({ purge }) => ({ purge: (id, options) => purge(id, { ...options, limit: 1_000 }) }),
    noticedBy: [purged]
  },
  {
    breakage: "purges all events",
    replace: ({ deleteAll }) => ({ purge: deleteAll }),
    noticedBy: [purged]
  },
  {
    breakage: "begins the sequence anew after a purge",
    replace: ({ purge }, database) => ({
      purge: (id, options) =>
        Effect.tap(purge(id, options), () =>
          Effect.sync(() => {
            const events = database.get(id)?.events
            if (events?.kept.length === 0) events.last = 0
          })
        )
    }),
    noticedBy: [purged]
  },
  {
    breakage: "finds organisations with young events too",
    replace: ({ findOrganisations }) => ({
      findOrganisations: (options) =>
        findOrganisations({ ...options, before: DateTime.add(options.before, { milliseconds: 1 }) })
    }),
    noticedBy: [found]
  },
  {
    breakage: "deletes the events of all organisations",
    replace: ({ deleteAll }, database) => ({
      deleteAll: (id, options) =>
        Effect.flatMap(deleteAll(id, options), (count) =>
          Effect.as(
            Effect.forEach(database.keys(), (other) => (other === id ? Effect.void : deleteAll(other, options))),
            count
          )
        )
    }),
    noticedBy: [deletedAll]
  }
])
