import { OrganisationRepository } from "@solar-sites/core"
import {
  MemoryDatabase,
  organisationDeletionConformance,
  organisationRepositoryConformance
} from "@solar-sites/testing"
import { Context, Effect, type Layer } from "effect"
import { notices, replacing } from "./DocumentBreaking.ts"
import { memory } from "./DocumentRepositoryBreaking.ts"
import { type Database, viewOf } from "./memoryView.ts"

const inOrganisations = (
  replace: (intact: OrganisationRepository["Service"], database: Database) => Partial<OrganisationRepository["Service"]>
) =>
  replacing<Layer.Success<typeof memory>>()(OrganisationRepository, (intact, context) =>
    replace(intact, viewOf(Context.get(context, MemoryDatabase)))
  )

const kept = "deletes no organisation that a site, a portfolio, a key or a webhook belongs to"
const files = "keeps the list of files to delete when the organisation is deleted"
const deleted = "deletes an organisation, and no other one; one that is not there is deleted already"

notices(organisationDeletionConformance, memory, [
  {
    breakage: "deletes an organisation with all that belongs to it",
    breaks: inOrganisations((_, database) => ({
      delete: (id) =>
        Effect.sync(() => {
          database.delete(id)
          return true
        })
    })),
    noticedBy: [kept, files]
  },
  {
    breakage: "says that it has deleted what something belongs to",
    breaks: inOrganisations((intact) => ({ delete: (id) => Effect.as(intact.delete(id), true) })),
    noticedBy: [kept]
  }
])

notices(organisationRepositoryConformance, memory, [
  {
    breakage: "deletes no organisation",
    breaks: inOrganisations(() => ({ delete: () => Effect.succeed(true) })),
    noticedBy: [deleted]
  },
  {
    breakage: "deletes all organisations",
    breaks: inOrganisations((intact, database) => ({
      delete: (id) =>
        Effect.as(Effect.forEach([...database.keys()], intact.delete), true).pipe(Effect.tap(() => intact.delete(id)))
    })),
    noticedBy: [deleted]
  },
  {
    breakage: "deletes nothing twice",
    breaks: inOrganisations((intact, database) => ({
      delete: (id) => (database.get(id)?.organisation ? intact.delete(id) : Effect.succeed(false))
    })),
    noticedBy: [deleted]
  }
])
