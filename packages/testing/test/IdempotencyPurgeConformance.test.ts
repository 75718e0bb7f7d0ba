import { IdempotencyStore } from "@solar-sites/core"
import {
  idempotencyStoreConformance,
  MemoryDatabase,
  MemoryIdempotencyStore,
  MemoryOrganisationRepository
} from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { notices, replacing } from "./DocumentBreaking.ts"

const memory = Layer.merge(MemoryIdempotencyStore.layer, MemoryOrganisationRepository.layer).pipe(
  Layer.provide(MemoryDatabase.layer)
)

const inStore = (replace: (intact: IdempotencyStore["Service"]) => Partial<IdempotencyStore["Service"]>) =>
  replacing<Layer.Success<typeof memory>>()(IdempotencyStore, replace)

const compared = "claims, ends and purges keys as core does, in organisations with the same ones"

notices(idempotencyStoreConformance, memory, [
  {
    breakage: "purges nothing",
    breaks: inStore(() => ({ purge: () => Effect.succeed(0) })),
    noticedBy: [compared]
  },
  {
    breakage: "purges without end",
    breaks: inStore(({ purge }) => ({ purge: (owner, options) => purge(owner, { ...options, limit: 1_000 }) })),
    noticedBy: [compared]
  },
  {
    breakage: "purges live claims",
    breaks: inStore(({ purge }) => ({
      purge: (owner, options) => purge(owner, { ...options, now: DateTime.add(options.now, { seconds: 1 }) })
    })),
    noticedBy: [compared]
  },
  {
    breakage: "has no budget",
    breaks: inStore(({ purge }) => ({
      purge: (owner, options) => purge(owner, { ...options, maximumBytes: Number.MAX_SAFE_INTEGER })
    })),
    noticedBy: [compared]
  },
  {
    breakage: "counts the budget in bytes that it has not",
    breaks: inStore(({ purge }) => ({
      purge: (owner, options) => purge(owner, { ...options, maximumBytes: options.maximumBytes - 1 })
    })),
    noticedBy: [compared]
  },
  {
    breakage: "purges the claims of all organisations",
    breaks: inStore(({ findOrganisations, purge }) => ({
      purge: (owner, options) =>
        Effect.gen(function* () {
          for (const other of yield* findOrganisations({ after: null, limit: 1_000 })) {
            if (other !== owner) yield* purge(other, options)
          }
          return yield* purge(owner, options)
        })
    })),
    noticedBy: [compared]
  },
  {
    breakage: "names the first organisations again and again",
    breaks: inStore(({ findOrganisations }) => ({
      findOrganisations: ({ limit }) => findOrganisations({ after: null, limit: Math.min(limit, 3) })
    })),
    noticedBy: [compared]
  }
])
