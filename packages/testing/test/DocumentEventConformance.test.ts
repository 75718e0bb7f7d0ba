import { DocumentRepository, Event } from "@solar-sites/core"
import { eventRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"
import { afterwards, lose, loseLast, turn, withoutActor, withoutChanges } from "./EventBreaking.ts"

const requested = "writes one event per new document, in order of id, and none for stored or refused ones"
const updated = "writes the changed metadata of a document, and nothing where nothing changes"
const steps = "writes one event per step of a document, with all its changes"
const reissued = "writes the events of a rejection and of new addresses"
const repeated = "repeats a new address without an event, and only for a pending document"
const replaced = "writes an event of the replaced document when its successor arrives"
const left = "writes the events of both neighbours when a document in the middle of a chain is deleted or rejected"
const covered = "writes the event of the site whose cover changes, with the path as its value"

const asUpdates = afterwards((written) => written.map((event) => new Event({ ...event, type: "document.updated" })))

notices(eventRepositoryConformance, DocumentRepository, [
  {
    breakage: "writes no event for new documents",
    replace: ({ insertMany }, database) => ({
      insertMany: (id, ...rest) => lose(database, id, insertMany(id, ...rest))
    }),
    noticedBy: [requested]
  },
  {
    breakage: "writes the events of new documents in another order",
    replace: ({ insertMany }, database) => ({
      insertMany: (id, ...rest) => turn(database, id, insertMany(id, ...rest))
    }),
    noticedBy: [requested]
  },
  {
    breakage: "does not know who has changed metadata",
    replace: ({ update }, database) => ({ update: (id, ...rest) => withoutActor(database, id, update(id, ...rest)) }),
    noticedBy: [updated]
  },
  {
    breakage: "writes steps as updates",
    replace: ({ step }, database) => ({ step: (id, ...rest) => asUpdates(database, id, step(id, ...rest)) }),
    noticedBy: [steps, replaced, covered]
  },
  {
    breakage: "writes no changes of steps",
    replace: ({ step }, database) => ({ step: (id, ...rest) => withoutChanges(database, id, step(id, ...rest)) }),
    noticedBy: [steps, reissued]
  },
  {
    breakage: "writes no event for the replaced document, or for the site with a new cover",
    replace: ({ step }, database) => ({ step: (id, ...rest) => loseLast(database, id, step(id, ...rest)) }),
    noticedBy: [replaced, covered]
  },
  {
    breakage: "writes no event for a new address",
    replace: ({ reopen }, database) => ({ reopen: (id, ...rest) => lose(database, id, reopen(id, ...rest)) }),
    noticedBy: [reissued]
  },
  {
    breakage: "writes an event for a repeated address, and reopens failed documents by it",
    replace: ({ reopen }) => ({
      reopen: (id, document, options) => reopen(id, document, { ...options, isRepetition: false })
    }),
    noticedBy: [repeated]
  },
  {
    breakage: "forgets the expiry of a repeated address",
    replace: ({ findById, reopen }) => ({
      reopen: (id, document, options) =>
        options.isRepetition === true
          ? Effect.flatMap(findById(id, document), (found) =>
              Option.isSome(found) ? Effect.succeed(found.value) : reopen(id, document, options)
            )
          : reopen(id, document, options)
    }),
    noticedBy: [repeated]
  },
  {
    breakage: "writes no event for the last neighbour of a deleted document",
    replace: (intact, database) => ({ delete: (id, ...rest) => loseLast(database, id, intact.delete(id, ...rest)) }),
    noticedBy: [left]
  },
  {
    breakage: "writes an event for a repeated address, and reopens failed documents by it",
    replace: ({ reopen }) => ({
      reopen: (id, document, options) => reopen(id, document, { ...options, isRepetition: false })
    }),
    noticedBy: [repeated]
  },
  {
    breakage: "forgets the expiry of a repeated address",
    replace: ({ findById, reopen }) => ({
      reopen: (id, document, options) =>
        options.isRepetition === true
          ? Effect.flatMap(findById(id, document), (found) =>
              Option.isSome(found) ? Effect.succeed(found.value) : reopen(id, document, options)
            )
          : reopen(id, document, options)
    }),
    noticedBy: [repeated]
  },
  {
    breakage: "writes no event for the last neighbour of a rejected document",
    replace: ({ step }, database) => ({
      step: (id, document, change, options) => {
        const stepped = step(id, document, change, options)
        return change.to === "failed" ? loseLast(database, id, stepped) : stepped
      }
    }),
    noticedBy: [left]
  }
])
