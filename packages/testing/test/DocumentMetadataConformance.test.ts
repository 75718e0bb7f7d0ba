import type { DocumentChanges, DocumentRepository } from "@solar-sites/core"
import { documentRepositoryConformance } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./DocumentBreaking.ts"
import { amend, inRepository, memory, whereverIs } from "./DocumentRepositoryBreaking.ts"

type Service = DocumentRepository["Service"]

const sets = "sets and clears metadata in every status, and nothing else"
const keeps = "keeps each absent member of metadata"
const nothing = "changes nothing when all values of metadata are stored already"
const together = "sets metadata in the same step as a status"
const order = "refuses metadata of an absent document, and of a stale version"
const races = "loses no concurrent change of metadata, and lets one of the same expected version win"

const changing = (change: (changes: DocumentChanges) => DocumentChanges) =>
  inRepository(({ update }) => ({
    update: (owner, id, changes, options) => update(owner, id, change(changes), options)
  }))

const answering = (change: (update: Service["update"]) => Service["update"]) =>
  inRepository(({ update }) => ({ update: change(update) }))

notices(documentRepositoryConformance, memory, [
  {
    breakage: "does not clear members",
    breaks: changing((changes) => Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null))),
    noticedBy: [sets]
  },
  {
    breakage: "clears absent members",
    breaks: changing((changes) => ({ note: null, validUntil: null, ...changes })),
    noticedBy: [keeps, races]
  },
  ...(["filename", "documentType", "note", "validFrom", "validUntil"] as const).map((member) => ({
    breakage: `ignores a changed ${member}`,
    breaks: changing(({ [member]: _, ...others }) => others),
    noticedBy: [sets, keeps] as const
  })),
  {
    breakage: "refuses metadata of completed documents",
    breaks: inRepository(({ findById, update }) => ({
      update: (owner, id, changes, options) =>
        Effect.flatMap(findById(owner, id), (found) =>
          update(owner, id, Option.exists(found, ({ status }) => status === "completed") ? {} : changes, options)
        )
    })),
    noticedBy: [sets]
  },
  {
    breakage: "counts a change without a difference",
    breaks: inRepository(({ findById, update }, database) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, options) {
        const before = Option.getOrNull(yield* findById(owner, id))
        const after = yield* update(owner, id, changes, options)
        return after.version === before?.version
          ? amend(database, after, ({ version }) => ({ version: version + 1 }))
          : after
      })
    })),
    noticedBy: [nothing]
  },
  {
    breakage: "changes metadata without counting",
    breaks: inRepository(({ update }, database) => ({
      update: (owner, id, changes, options) =>
        Effect.map(update(owner, id, changes, options), (after) =>
          amend(database, after, ({ version }) => ({ version: Math.max(1, version - 1) }))
        )
    })),
    noticedBy: [sets]
  },
  {
    breakage: "forgets metadata of a step",
    breaks: inRepository(({ step }) => ({
      step: (owner, id, { changes: _, ...taken }, options) => step(owner, id, taken, options)
    })),
    noticedBy: [together]
  },
  {
    breakage: "sets metadata after the step, as a version of its own",
    breaks: inRepository(({ step, update }) => ({
      step: Effect.fnUntraced(function* (owner, id, { changes = {}, ...taken }, options) {
        yield* step(owner, id, taken, options)
        return yield* Effect.orDie(update(owner, id, changes, { at: options.at }))
      })
    })),
    noticedBy: [together]
  },
  {
    breakage: "changes metadata of any version",
    breaks: answering(
      (update) =>
        (owner, id, changes, { at }) =>
          update(owner, id, changes, { at })
    ),
    noticedBy: [order, races]
  },
  {
    breakage: "accepts a stale version when nothing would change",
    breaks: inRepository(({ findById, update }) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, options) {
        const found = Option.getOrNull(yield* findById(owner, id))
        return found !== null && changes.note === null && found.note === null
          ? found
          : yield* update(owner, id, changes, options)
      })
    })),
    noticedBy: [order]
  },
  {
    breakage: "ignores the organisation in update",
    breaks: inRepository(({ update }, database) => ({
      update: (owner, id, ...rest) => update(whereverIs(database, owner, id), id, ...rest)
    })),
    noticedBy: [order]
  },
  {
    breakage: "writes back what it has read",
    breaks: inRepository(({ findById, update }) => ({
      update: Effect.fnUntraced(function* (owner, id, changes, options) {
        const found = Option.getOrNull(yield* findById(owner, id))
        yield* Effect.yieldNow
        if (found === null) return yield* update(owner, id, changes, options)
        const { documentType, filename, note, validFrom, validUntil } = found
        return yield* update(owner, id, { documentType, filename, note, validFrom, validUntil, ...changes }, options)
      })
    })),
    noticedBy: [races]
  }
])
