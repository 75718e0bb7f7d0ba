import { Stale } from "@solar-sites/core"
import { Effect } from "effect"
import { changing, noticesRecords } from "./RecordsBreaking.ts"

const given = "writes the events of a change as they are given, in their order, with its origin"
const none = "writes no event for a change without one"
const order = "numbers the events of concurrent changes in the order of their commits, and shows readers every one"
const stale = "does nothing when a site has another revision, is absent, or is there already"

noticesRecords([
  {
    breakage: "writes the events of a change in another order",
    replace: changing((change) => ({ ...change, events: change.events.toReversed() })),
    noticedBy: [given, order]
  },
  {
    breakage: "writes the first event of a change alone",
    replace: changing((change) => ({ ...change, events: change.events.slice(0, 1) })),
    noticedBy: [given, order]
  },
  {
    breakage: "writes events about records of the change alone",
    replace: changing((change) => {
      const ids = new Set(change.writes.map(({ id }) => id))
      return { ...change, events: change.events.filter(({ subjectId }) => ids.has(subjectId)) }
    }),
    noticedBy: [given]
  },
  {
    breakage: "writes events without their caller",
    replace: changing((change) => ({
      ...change,
      origin: { ...change.origin, actor: { userId: null, apiKeyId: null, keyPrefix: null } }
    })),
    noticedBy: [given]
  },
  {
    breakage: "writes an event for each write",
    replace: changing((change) => ({
      ...change,
      events: change.writes.map(
        ({ id }, index) =>
          change.events[index] ?? {
            type: "site.updated",
            subjectId: id,
            subjectName: null,
            siteId: null,
            changes: {}
          }
      )
    })),
    noticedBy: [none]
  },
  {
    breakage: "writes the events of a change that was stale",
    replace: ({ commit }, database) => ({
      commit: (operation, organisationId, change) =>
        Effect.map(commit(operation, organisationId, change), (outcome) => {
          const events = database.get(organisationId)?.events
          const last = events?.kept.at(-1)
          if (outcome instanceof Stale && last !== undefined) events?.kept.push(last)
          return outcome
        })
    }),
    noticedBy: [
      stale,
      "does nothing when the externalId of a site is taken, and takes it in another organisation",
      "writes records of all kinds at once, or none of them and no event when one is stale"
    ]
  },
  {
    breakage: "numbers events some time after the commit",
    replace: ({ commit }) => {
      let commits = 0
      return {
        commit: (operation, organisationId, change) =>
          Effect.gen(function* () {
            const delay = ++commits % 3
            const outcome = yield* commit(operation, organisationId, { ...change, events: [] })
            if (outcome instanceof Stale) return outcome
            for (let turn = 0; turn < delay * 20; turn++) yield* Effect.yieldNow
            yield* commit(operation, organisationId, { ...change, writes: [], reads: [] })
            return outcome
          })
      }
    },
    noticedBy: [order]
  },
  {
    breakage: "shows events to readers after later ones",
    replace: ({ commit }, database) => {
      let commits = 0
      return {
        commit: (operation, organisationId, change) =>
          Effect.gen(function* () {
            const kept = database.get(organisationId)?.events.kept ?? []
            const outcome = yield* commit(operation, organisationId, change)
            const own = kept.splice(kept.length - (outcome instanceof Stale ? 0 : change.events.length))
            if (++commits % 2 === 0) for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
            kept.push(...own)
            kept.sort((a, b) => a.sequence - b.sequence)
            return outcome
          })
      }
    },
    noticedBy: [order]
  }
])
