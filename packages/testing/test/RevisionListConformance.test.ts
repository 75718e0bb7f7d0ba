import type { DocumentRepository } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { whereverIs } from "./breaking.ts"
import { notices } from "./DocumentBreaking.ts"
import { inRepository, memory } from "./DocumentRepositoryBreaking.ts"

const documents = "claims, deletes and lists documents and files as core does, in organisations with the same ids"

const lists = "lists the chain of each of its members, newest first, in pages of any size"

type Service = DocumentRepository["Service"]

const listing = (change: (list: Service["listRevisions"]) => Service["listRevisions"]) =>
  inRepository(({ listRevisions }) => ({ listRevisions: change(listRevisions) }))

notices(documentRepositoryConformance, memory, [
  {
    breakage: "lists a chain oldest first",
    breaks: listing(
      (list) => (owner, id, page) =>
        Effect.map(list(owner, id, page), ({ hasMore, items }) => ({ hasMore, items: items.toReversed() }))
    ),
    noticedBy: [lists]
  },
  {
    breakage: "lists a chain from the document itself",
    breaks: listing(
      (list) => (owner, id, page) =>
        Effect.map(list(owner, id, page), ({ hasMore, items }) => ({
          hasMore,
          items: items.slice(
            Math.max(
              0,
              items.findIndex((one) => one.id === id)
            )
          )
        }))
    ),
    noticedBy: [lists]
  },
  {
    breakage: "knows of no further revisions",
    breaks: listing(
      (list) => (owner, id, page) => Effect.map(list(owner, id, page), ({ items }) => ({ items, hasMore: false }))
    ),
    noticedBy: [lists]
  },
  {
    breakage: "ignores the organisation in listRevisions",
    breaks: inRepository(({ listRevisions }, database) => ({
      listRevisions: (owner, id, page) => listRevisions(whereverIs(database, "documents", id) ?? owner, id, page)
    })),
    noticedBy: [documents]
  },
  {
    breakage: "takes documents that wait for a file for current",
    breaks: inRepository(({ list }) => ({
      list: (owner, { current, ...conditions }, page) =>
        Effect.map(list(owner, conditions, page), ({ hasMore, items }) => ({
          hasMore,
          items: items.filter(({ replacedBy }) => current === undefined || (replacedBy === null) === current)
        }))
    })),
    noticedBy: [documents, "finds and sorts documents as core does (random records 1)"]
  },
  {
    breakage: "pays no heed to current in a list",
    breaks: inRepository(({ list }) => ({
      list: (owner, { current: _, ...conditions }, page) => list(owner, conditions, page)
    })),
    noticedBy: [documents]
  }
])
