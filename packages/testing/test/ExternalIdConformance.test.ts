import { SiteRepository } from "@solar-sites/core"
import { siteRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const sites = "saves, deletes and lists sites as core does, in organisations with the same ids"

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "finds ids by external ids in another organisation",
    replace: ({ idsByExternalId }, database) => ({
      idsByExternalId: (owner, externalIds) =>
        Effect.map(
          Effect.forEach([...database.keys(), owner], (each) => idsByExternalId(each, externalIds)),
          (found) => new Map(found.flatMap((each) => [...each]))
        )
    }),
    noticedBy: [sites]
  },
  {
    breakage: "finds ids by external ids without letter case",
    replace: ({ idsByExternalId }) => ({
      idsByExternalId: (owner, externalIds) =>
        idsByExternalId(owner, [...externalIds, ...externalIds.map((text) => text.toUpperCase())])
    }),
    noticedBy: [sites]
  }
])
