import { type Find, type Found, foundOf, type Records, siteKind } from "@solar-sites/core"
import { Effect } from "effect"
import { noticesRecords } from "./RecordsBreaking.ts"

type Service = Records["Service"]

const byMember = "loads records by id and by unique member, and null where none is"
const byOthers = "loads all records with one value of a member, and those that members of other records name"
const limit = "fails a load of more bytes than its find allows, and answers one of fewer"
const sequence = "loads the sequence of the last event with the records"
const concurrent = "answers each of fifty concurrent loads with its own records"
const snapshot = "loads all records of a call as they are at one instant, with the sequence"

/** Loads other finds than the given ones. */
const finding =
  (edit: (find: Find) => Find) =>
  ({ load }: Service): Partial<Service> => ({
    load: (operation, organisationId, finds, options) => load(operation, organisationId, finds.map(edit), options)
  })

/** Changes what a load answers. */
const answering =
  (edit: (found: Found) => Found) =>
  ({ load }: Service): Partial<Service> => ({
    load: (...given) => Effect.map(load(...given), edit)
  })

const valuesOf = ({ values }: Find): ReadonlyArray<string> => ("of" in values ? [] : values)

noticesRecords([
  {
    breakage: "takes the text null for no value",
    replace: finding((find) => ({
      ...find,
      values: "of" in find.values ? find.values : find.values.filter((value) => value !== "null")
    })),
    noticedBy: [byMember]
  },
  {
    breakage: "does not tell capital letters from small ones",
    replace: finding((find) =>
      find.by === "externalId" ? { ...find, values: valuesOf(find).map((value) => value.toLowerCase()) } : find
    ),
    noticedBy: [byMember]
  },
  {
    breakage: "reads any number of bytes",
    replace: finding(({ maximumBytes: _, ...find }) => find),
    noticedBy: [limit]
  },
  {
    breakage: "loads one record of each value",
    replace: answering((found) => ({
      ...found,
      ...foundOf(
        found.answers.map(({ find, stored }) => ({ find, stored: find.by === "id" ? stored : stored.slice(0, 1) })),
        found
      )
    })),
    noticedBy: [byOthers]
  },
  {
    breakage: "loads no records that members of other records name",
    replace: finding((find) => ({ ...find, values: valuesOf(find) })),
    noticedBy: [byOthers]
  },
  {
    breakage: "loads the named records of any organisation",
    replace: ({ load }, database) => ({
      load: (operation, organisationId, finds, options) =>
        Effect.gen(function* () {
          const found = yield* load(operation, organisationId, finds, options)
          const others = yield* Effect.forEach([...database.keys()], (other) => load(operation, other, finds, options))
          const answers = found.answers.map((answer, index) => ({
            ...answer,
            stored:
              "of" in answer.find.values ? others.flatMap((one) => one.answers[index]?.stored ?? []) : answer.stored
          }))
          return { ...found, answers }
        })
    }),
    noticedBy: [byOthers]
  },
  {
    breakage: "answers the number of loaded records for the last sequence",
    replace: answering((found) => ({ ...found, lastSequence: found.answers.length })),
    noticedBy: [sequence, snapshot]
  },
  {
    breakage: "answers the last sequence of all organisations",
    replace: ({ load }, database) => ({
      load: (...given) =>
        Effect.map(load(...given), (found) => ({
          ...found,
          lastSequence: Math.max(...[...database.values()].map(({ events }) => events.last))
        }))
    }),
    noticedBy: [sequence]
  },
  {
    breakage: "answers concurrent loads with the records of all of them",
    replace: ({ load }) => {
      const waiting: Array<ReadonlyArray<Find>> = []
      return {
        load: (operation, organisationId, finds, options) =>
          Effect.gen(function* () {
            waiting.push(finds)
            yield* Effect.yieldNow
            const all = waiting.filter((other) => other.length === finds.length)
            const shared = finds.map((find, index) => {
              const values = all.flatMap((other) => (other[index]?.by === find.by ? valuesOf(other[index]) : []))
              return "of" in find.values ? find : { ...find, values: [...new Set(values)] }
            })
            const found = yield* load(operation, organisationId, shared, options)
            waiting.splice(waiting.indexOf(finds), 1)
            return found
          })
      }
    },
    noticedBy: [concurrent]
  },
  {
    breakage: "answers concurrent loads of an organisation with the records of the first",
    replace: ({ load }) => {
      const running = new Map<string, Found>()
      return {
        load: (operation, organisationId, finds, options) =>
          Effect.gen(function* () {
            const first = running.get(organisationId)
            const found = first ?? (yield* load(operation, organisationId, finds, options))
            running.set(organisationId, found)
            yield* Effect.yieldNow
            running.delete(organisationId)
            return found
          })
      }
    },
    noticedBy: [concurrent]
  },
  {
    breakage: "loads each kind at its own instant",
    replace: ({ load }) => ({
      load: (operation, organisationId, finds, options) =>
        Effect.gen(function* () {
          const found: Array<Found> = []
          for (const find of finds) {
            found.push(yield* load(operation, organisationId, [find], options))
            yield* Effect.yieldNow
          }
          const answers = found.flatMap((one) => one.answers)
          return { ...foundOf(answers, found.at(-1)), isFull: (bound) => found.some((one) => one.isFull(bound)) }
        })
    }),
    noticedBy: [snapshot]
  },
  {
    breakage: "finds sites by no more than one external id",
    replace: finding((find) =>
      find.kind === siteKind && find.by !== "id" ? { ...find, values: valuesOf(find).slice(0, 1) } : find
    ),
    noticedBy: [byMember]
  }
])
