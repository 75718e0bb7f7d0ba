import { Organisation, OrganisationRepository } from "@solar-sites/core"
import { organisationRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"

const lists = "lists every organisation once, in ascending order of id, in pages of any size"
const updates = "sets the members that are given and keeps the others"

notices(organisationRepositoryConformance, OrganisationRepository, [
  {
    breakage: "lists the latest first",
    replace: ({ list }) => ({
      list: (page) => Effect.map(list(page), ({ hasMore, items }) => ({ items: items.toReversed(), hasMore }))
    }),
    noticedBy: [lists]
  },
  {
    breakage: "knows of no further page",
    replace: ({ list }) => ({ list: (page) => Effect.map(list(page), ({ items }) => ({ items, hasMore: false })) }),
    noticedBy: [lists]
  },
  {
    breakage: "takes every full page for one that is followed",
    replace: ({ list }) => ({
      list: (page) => Effect.map(list(page), ({ items }) => ({ items, hasMore: items.length === page.limit }))
    }),
    noticedBy: [lists]
  },
  {
    breakage: "begins every page at the beginning",
    replace: ({ list }) => ({ list: (page) => list({ ...page, after: null }) }),
    noticedBy: [lists]
  },
  {
    breakage: "overwrites a stored organisation",
    replace: ({ insert }, database) => ({
      insert: (organisation) => {
        database.delete(organisation.id)
        return insert(organisation)
      }
    }),
    noticedBy: ["refuses a duplicate organisation"]
  },
  {
    breakage: "makes an organisation by updating it",
    replace: ({ insert, update }) => ({
      update: (id, changes, origin) => {
        const made = new Organisation({ id, name: "Made", status: "active", ...changes })
        return Effect.ignore(insert(made)).pipe(Effect.andThen(update(id, changes, origin)))
      }
    }),
    noticedBy: ["finds and updates nothing where there is nothing"]
  },
  {
    breakage: "activates every renamed organisation",
    replace: ({ update }) => ({
      update: (id, changes, origin) => update(id, { status: "active", ...changes }, origin)
    }),
    noticedBy: [updates]
  },
  {
    breakage: "answers the state before an update",
    replace: ({ findById, update }) => ({
      update: (...given) => Effect.flatMap(findById(given[0]), (before) => Effect.as(update(...given), before))
    }),
    noticedBy: [updates]
  },
  {
    breakage: "loses one of two concurrent updates",
    replace: ({ findById, update }) => ({
      update: (id, changes, origin) =>
        Effect.flatMap(findById(id), (before) =>
          Effect.andThen(Effect.yieldNow, update(id, { ...Option.getOrNull(before), ...changes }, origin))
        )
    }),
    noticedBy: ["loses neither of two concurrent updates"]
  },
  {
    breakage: "writes names in Latin-1",
    replace: ({ insert }) => ({
      insert: (organisation) => {
        const name = Buffer.from(organisation.name, "latin1").toString("latin1")
        return insert(new Organisation({ ...organisation, name }))
      }
    }),
    noticedBy: ["keeps names exactly as they are"]
  }
])
