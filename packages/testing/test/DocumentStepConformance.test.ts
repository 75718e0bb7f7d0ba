import { InvalidTransition, transitions } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { amend, amendSite, inRepository, inSites, memory } from "./DocumentRepositoryBreaking.ts"

const machine = "allows exactly the transitions of the state machine"
const order = "refuses an absent document before a stale version, and that before a transition"
const reopening = "reopens failed and pending documents only"
const declared = "restores the declared size when it reopens, and none after a rejection"
const covers = "makes a cover image its site's cover when it is uploaded, the latest in place of the one before"
const rejects = "removes a rejected cover image from its site, and no other cover"
const uncovers = "removes the cover of a site when its document is deleted, and no other cover"
const deletes = "deletes a document in any state, once, and lists its file"
const cascade = "deletes the documents of a deleted site and lists their files"

notices(documentRepositoryConformance, memory, [
  {
    breakage: "takes any step",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, taken, options) =>
        Effect.catchTag(step(owner, id, taken, options), "InvalidTransition", (error) => {
          const stored = database.get(owner)?.documents.get(id)
          return stored === undefined
            ? Effect.fail(error)
            : Effect.succeed(amend(database, stored.document, () => ({ status: taken.to })))
        })
    })),
    noticedBy: [machine]
  },
  {
    breakage: "takes a step to where the document is already for taken",
    breaks: inRepository(({ findById, step }) => ({
      step: Effect.fnUntraced(function* (owner, id, taken, options) {
        const seen = Option.getOrNull(yield* findById(owner, id))
        return seen?.status === taken.to ? seen : yield* step(owner, id, taken, options)
      })
    })),
    noticedBy: [machine, "lets one of two conflicting concurrent steps win"]
  },
  {
    breakage: "reports the previous statuses as the allowed ones",
    breaks: inRepository(({ step }) => ({
      step: (owner, id, taken, options) =>
        Effect.catchTag(step(owner, id, taken, options), "InvalidTransition", ({ from, to }) =>
          Effect.fail(new InvalidTransition({ from, to, allowed: transitions[to] }))
        )
    })),
    noticedBy: [machine]
  },
  {
    breakage: "looks at the state a moment before it takes the step",
    breaks: inRepository(({ findById, step }, database) => ({
      step: Effect.fnUntraced(function* (owner, id, taken, options) {
        const seen = Option.getOrNull(yield* findById(owner, id))
        if (seen === null) return yield* step(owner, id, taken, options)
        yield* Effect.yieldNow
        const back = database.get(owner)?.documents.get(id)?.document ?? seen
        amend(database, back, () => ({ status: seen.status, version: seen.version }))
        return yield* step(owner, id, taken, options)
      })
    })),
    noticedBy: [
      "lets one of two conflicting concurrent steps win",
      "lets one of several concurrent steps of the same expected version win"
    ]
  },
  {
    breakage: "counts no step",
    breaks: inRepository(({ step }, database) => ({
      step: (...taken) =>
        Effect.map(step(...taken), (after) => amend(database, after, ({ version }) => ({ version: version - 1 })))
    })),
    noticedBy: [machine]
  },
  {
    breakage: "takes a step from any version",
    breaks: inRepository(({ step }) => ({ step: (owner, id, taken, { at }) => step(owner, id, taken, { at }) })),
    noticedBy: [
      order,
      "lets one of several concurrent steps of the same expected version win",
      "leaves the site as it is when the step of its cover image is refused"
    ]
  },
  {
    breakage: "judges the transition before the version",
    breaks: inRepository(({ findById, step }) => ({
      step: Effect.fnUntraced(function* (owner, id, taken, options) {
        const from = Option.getOrNull(yield* findById(owner, id))?.status
        const { to } = taken
        if (from !== undefined && !transitions[from].includes(to)) {
          return yield* new InvalidTransition({ from, to, allowed: transitions[from] })
        }
        return yield* step(owner, id, taken, options)
      })
    })),
    noticedBy: [order]
  },
  {
    breakage: "keeps the size that was declared",
    breaks: inRepository(({ step }) => ({
      step: (owner, id, { sizeBytes: _, ...taken }, options) => step(owner, id, taken, options)
    })),
    noticedBy: [machine, "stores the size and the reason of a step"]
  },
  {
    breakage: "counts the new address of a pending document",
    breaks: inRepository(({ findById, reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.flatMap(findById(owner, id), (before) =>
          Effect.map(reopen(owner, id, options), (after) =>
            Option.getOrNull(before)?.status === "pending"
              ? amend(database, after, ({ version }) => ({ version: version + 1 }))
              : after
          )
        )
    })),
    noticedBy: [reopening]
  },
  {
    breakage: "keeps the real size when it reopens",
    breaks: inRepository(({ findById, reopen }, database) => ({
      reopen: (owner, id, options) =>
        Effect.flatMap(findById(owner, id), (before) =>
          Effect.map(reopen(owner, id, options), (after) =>
            amend(database, after, () => ({ sizeBytes: Option.getOrNull(before)?.sizeBytes ?? null }))
          )
        )
    })),
    noticedBy: [declared]
  },
  {
    breakage: "keeps the reason when it reopens",
    breaks: inRepository(({ reopen }, database) => ({
      reopen: (...request) =>
        Effect.map(reopen(...request), (after) => amend(database, after, () => ({ failureReason: "kept" })))
    })),
    noticedBy: [declared, reopening]
  },
  {
    breakage: "makes no cover of a cover image",
    breaks: inRepository(({ step }, database) => ({
      step: (...taken) =>
        Effect.tap(step(...taken), (document) =>
          Effect.sync(() => amendSite(database, document, () => ({ coverImageUrl: null })))
        )
    })),
    noticedBy: [covers, "keeps the image that arrived last as the cover, whichever was there before"]
  },
  {
    breakage: "counts no cover as a change of the site",
    breaks: inRepository(({ step }, database) => ({
      step: (...taken) =>
        Effect.tap(step(...taken), (document) =>
          Effect.sync(() => amendSite(database, document, () => ({ version: 1 })))
        )
    })),
    noticedBy: [covers, "loses no change of the site when a cover image arrives at the same time"]
  },
  {
    breakage: "makes every uploaded document the cover",
    breaks: inRepository(({ step }, database) => ({
      step: (...taken) =>
        Effect.tap(step(...taken), (document) =>
          Effect.sync(() => amendSite(database, document, () => ({ coverImageUrl: document.path })))
        )
    })),
    noticedBy: [covers]
  },
  {
    breakage: "leaves a rejected cover image on its site",
    breaks: inRepository((intact, database) => ({
      step: (owner, id, taken, options) => {
        const document = database.get(owner)?.documents.get(id)?.document
        const site = document && database.get(owner)?.sites.get(document.siteId)
        return Effect.tap(intact.step(owner, id, taken, options), () =>
          Effect.sync(
            () => taken.to === "failed" && document && site && amendSite(database, document, () => ({ ...site }))
          )
        )
      }
    })),
    noticedBy: [rejects]
  },
  {
    breakage: "leaves the cover of a deleted document",
    breaks: inRepository((intact, database) => ({
      delete: (owner, id, options) => {
        const document = database.get(owner)?.documents.get(id)?.document
        const site = document && database.get(owner)?.sites.get(document.siteId)
        return Effect.tap(intact.delete(owner, id, options), () =>
          Effect.sync(() => document && site && amendSite(database, document, () => ({ ...site })))
        )
      }
    })),
    noticedBy: [uncovers]
  },
  {
    breakage: "takes any cover from the site when a cover image is deleted",
    breaks: inRepository((intact, database) => ({
      delete: (owner, id, options) => {
        const document = database.get(owner)?.documents.get(id)?.document
        return Effect.tap(intact.delete(owner, id, options), () =>
          Effect.sync(() => document && amendSite(database, document, () => ({ coverImageUrl: null })))
        )
      }
    })),
    noticedBy: [uncovers]
  },
  {
    breakage: "deletes any version",
    breaks: inRepository((intact) => ({ delete: (owner, id, { at }) => intact.delete(owner, id, { at }) })),
    noticedBy: [deletes]
  },
  {
    breakage: "deletes absent documents",
    breaks: inRepository((intact) => ({
      delete: (...request) => Effect.catchTag(intact.delete(...request), "DocumentNotFound", () => Effect.void)
    })),
    noticedBy: [deletes, "lets one of two concurrent deletes succeed"]
  },
  {
    breakage: "lists no file of a deleted document",
    breaks: inRepository((intact, database) => ({
      delete: (owner, ...rest) =>
        Effect.tap(intact.delete(owner, ...rest), () => Effect.sync(() => database.get(owner)?.deletedFiles.clear()))
    })),
    noticedBy: [deletes]
  },
  {
    breakage: "leaves the documents of a deleted site",
    breaks: inSites((intact, database) => ({
      delete: (owner, ...rest) => {
        const documents = [...(database.get(owner)?.documents ?? [])]
        const restore = () => documents.map(([id, stored]) => database.get(owner)?.documents.set(id, stored))
        return Effect.tap(intact.delete(owner, ...rest), () => Effect.sync(restore))
      }
    })),
    noticedBy: [cascade]
  },
  {
    breakage: "lists no file of a deleted site",
    breaks: inSites((intact, database) => ({
      delete: (owner, ...rest) =>
        Effect.tap(intact.delete(owner, ...rest), () => Effect.sync(() => database.get(owner)?.deletedFiles.clear()))
    })),
    noticedBy: [cascade]
  }
])
