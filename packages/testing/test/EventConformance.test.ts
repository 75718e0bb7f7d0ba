import {
  ApiKeyStore,
  CurrentCaller,
  Event,
  EventRepository,
  OrganisationRepository,
  PortfolioRepository,
  RequirementRepository
} from "@solar-sites/core"
import { eventRepositoryConformance, organisationEventConformance } from "@solar-sites/testing"
import { DateTime, Effect } from "effect"
import { notices } from "./breaking.ts"
import { afterwards, lose, loseLast, turn, withoutActor, withoutChanges } from "./EventBreaking.ts"

const created = "writes one event per new portfolio, in order of id, and none for stored ones"
const renamed = "writes the old and the new name of a portfolio, exactly as they are"
const added = "writes one event per site that is added to a portfolio or moved into it"
const removed = "writes one event per site that is removed from a portfolio"
const deleted = "writes the events of a deleted portfolio and of each site that loses it"
const withPortfolio = "writes the requirements that are removed with their portfolio, and only then"

notices(eventRepositoryConformance, PortfolioRepository, [
  {
    breakage: "writes no event for new portfolios",
    replace: ({ insertMany }, database) => ({
      insertMany: (id, ...rest) => lose(database, id, insertMany(id, ...rest))
    }),
    noticedBy: [created]
  },
  {
    breakage: "writes the events of new portfolios in another order",
    replace: ({ insertMany }, database) => ({
      insertMany: (id, ...rest) => turn(database, id, insertMany(id, ...rest))
    }),
    noticedBy: [created]
  },
  {
    breakage: "does not know who has renamed a portfolio",
    replace: ({ update }, database) => ({ update: (id, ...rest) => withoutActor(database, id, update(id, ...rest)) }),
    noticedBy: [renamed]
  },
  {
    breakage: "forgets the names of renamed portfolios",
    replace: ({ update }, database) => ({ update: (id, ...rest) => withoutChanges(database, id, update(id, ...rest)) }),
    noticedBy: [renamed]
  },
  {
    breakage: "writes no event for the last of the sites that are added",
    replace: ({ addSites }, database) => ({ addSites: (id, ...rest) => loseLast(database, id, addSites(id, ...rest)) }),
    noticedBy: [added]
  },
  {
    breakage: "writes no event for sites that are removed",
    replace: ({ removeSites }, database) => ({
      removeSites: (id, ...rest) => lose(database, id, removeSites(id, ...rest))
    }),
    noticedBy: [removed]
  },
  {
    breakage: "writes no event for the last site of a deleted portfolio, or its requirements",
    replace: (intact, database) => ({ delete: (id, ...rest) => loseLast(database, id, intact.delete(id, ...rest)) }),
    noticedBy: [deleted, withPortfolio, "writes every list between concurrent deletions of portfolios"]
  },
  {
    breakage: "writes an event for a change that is refused",
    replace: ({ update }) => ({
      update: (id, portfolioId, changes, options) =>
        Effect.tapError(update(id, portfolioId, changes, options), () =>
          Effect.ignore(update(id, portfolioId, changes, { at: options.at }))
        )
    }),
    noticedBy: ["writes no event for a change of a portfolio that is refused or changes nothing"]
  }
])

const keyLife = "writes the events of a key that is created and deleted, with its name, its end and its scopes"
const rotated = "writes one event for a rotation, with the new end of the old key and the id of the new one"

notices(eventRepositoryConformance, ApiKeyStore, [
  {
    breakage: "writes no event for a new key",
    replace: ({ insert }, database) => ({ insert: (id, ...rest) => lose(database, id, insert(id, ...rest)) }),
    noticedBy: [keyLife, "writes one event per key of concurrent inserts"]
  },
  {
    breakage: "writes no event for a deleted key",
    replace: (intact, database) => ({ delete: (id, ...rest) => lose(database, id, intact.delete(id, ...rest)) }),
    noticedBy: [keyLife]
  },
  {
    breakage: "writes no changes for a rotation",
    replace: ({ rotate }, database) => ({ rotate: (id, ...rest) => withoutChanges(database, id, rotate(id, ...rest)) }),
    noticedBy: [rotated]
  }
])

notices(eventRepositoryConformance, RequirementRepository, [
  {
    breakage: "writes no event for new requirements",
    replace: ({ replace }, database) => ({ replace: (id, ...rest) => lose(database, id, replace(id, ...rest)) }),
    noticedBy: ["writes the old and the new list of requirements"]
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
      update: (id, changes) =>
        changes.name === undefined
          ? update(id, changes)
          : Effect.andThen(update(id, { name: "Between" }), update(id, changes))
    }),
    noticedBy: [organisation]
  },
  {
    breakage: "takes a caller of another organisation for the actor",
    replace: ({ update }, database) => ({
      update: (id, changes) =>
        Effect.withFiber((fiber) => {
          const caller = fiber.context.mapUnsafe.get(CurrentCaller.key) as CurrentCaller["Service"] | undefined
          const named = afterwards((written) =>
            written.map((event) => new Event({ ...event, actor: { ...event.actor, userId: caller?.userId ?? null } }))
          )
          return named(database, id, update(id, changes))
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
