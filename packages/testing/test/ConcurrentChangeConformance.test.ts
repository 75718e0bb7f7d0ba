/**
 * Adapters that fail at versions greater than 32 bits, or that compare with the
 * record as it was before they waited for others.
 */
import {
  type ExpectedVersions,
  PortfolioRepository,
  RepositoryError,
  Site,
  type SiteChanges,
  SiteRepository
} from "@solar-sites/core"
import {
  documentRepositoryConformance,
  portfolioRepositoryConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { notices } from "./breaking.ts"
import { notices as noticesOfDocuments } from "./DocumentBreaking.ts"
import { amendSite, inRepository, memory } from "./DocumentRepositoryBreaking.ts"

const tooGreat = "treats an expected version beyond any range as a mismatch, alone and among others"
const ownValues = "returns to each of several concurrent updates of one member the value that it set"
const removedInArrival = "keeps no cover image that is rejected or deleted while it arrives"

const failure = new RepositoryError({ operation: "test", retryable: false, cause: new Error("out of range") })

/** Fails instead of the effect where a version is no 32-bit integer. */
const unlessTooGreat = <A, E>(versions: ExpectedVersions, effect: Effect.Effect<A, E>) =>
  versions?.some((version) => version > 2 ** 31 - 1) === true ? Effect.fail(failure) : effect

notices(siteRepositoryConformance, SiteRepository, [
  {
    breakage: "fails to update for an expected version that is no integer of 32 bits",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) =>
        unlessTooGreat(options.expectedVersions, update(owner, id, changes, options))
    }),
    noticedBy: [tooGreat]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    replace: (intact) => ({
      delete: (owner, id, versions) => unlessTooGreat(versions, intact.delete(owner, id, versions))
    }),
    noticedBy: [tooGreat]
  },
  {
    breakage: "updates nothing where the site had the values before the others changed it",
    replace: ({ findById, update }, database) => ({
      update: Effect.fnUntraced(function* (owner, id, changes: SiteChanges, options) {
        const seen = Option.getOrNull(yield* findById(owner, id))
        yield* Effect.yieldNow
        const isSame =
          seen !== null && Object.entries(changes).every(([name, value]) => Reflect.get(seen, name) === value)
        const now = database.get(owner)?.sites.get(id)
        return isSame && now !== undefined ? new Site(now) : yield* update(owner, id, changes, options)
      })
    }),
    noticedBy: [ownValues]
  }
])

notices(portfolioRepositoryConformance, PortfolioRepository, [
  {
    breakage: "fails to update for an expected version that is no integer of 32 bits",
    replace: ({ update }) => ({
      update: (owner, id, changes, options) =>
        unlessTooGreat(options.expectedVersions, update(owner, id, changes, options))
    }),
    noticedBy: [tooGreat]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    replace: (intact) => ({
      delete: (owner, id, options) => unlessTooGreat(options.expectedVersions, intact.delete(owner, id, options))
    }),
    noticedBy: [tooGreat]
  }
])

noticesOfDocuments(documentRepositoryConformance, memory, [
  {
    breakage: "fails to take a step for an expected version that is no integer of 32 bits",
    breaks: inRepository(({ step }) => ({
      step: (owner, id, taken, options) => unlessTooGreat(options.expectedVersions, step(owner, id, taken, options))
    })),
    noticedBy: [tooGreat]
  },
  {
    breakage: "fails to delete for an expected version that is no integer of 32 bits",
    breaks: inRepository((intact) => ({
      delete: (owner, id, options) => unlessTooGreat(options.expectedVersions, intact.delete(owner, id, options))
    })),
    noticedBy: [tooGreat]
  },
  {
    breakage: "sets the cover a moment after the image has arrived",
    breaks: inRepository(({ step }, database) => ({
      step: (owner, id, taken, options) =>
        Effect.tap(step(owner, id, taken, options), (document) =>
          taken.to === "uploaded" && document.type === "coverImage"
            ? Effect.andThen(
                Effect.yieldNow,
                Effect.sync(() => amendSite(database, document, () => ({ coverImageUrl: document.path })))
              )
            : Effect.void
        )
    })),
    noticedBy: [removedInArrival]
  }
])
