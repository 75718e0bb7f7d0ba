import {
  type IdempotencyKey,
  type IdempotencyOutcome,
  type IdempotencyRequest,
  IdempotencyStore
} from "@solar-sites/core"
import {
  anOrganisationId,
  idempotencyStoreConformance,
  MemoryDatabase,
  MemoryIdempotencyStore,
  MemoryOrganisationRepository
} from "@solar-sites/testing"
import { DateTime, Effect, Layer } from "effect"
import { notices, replacing } from "./DocumentBreaking.ts"

type Service = IdempotencyStore["Service"]

const memory = Layer.merge(MemoryIdempotencyStore.layer, MemoryOrganisationRepository.layer).pipe(
  Layer.provide(MemoryDatabase.layer)
)

const inStore = (replace: (intact: Service) => Partial<Service>) =>
  replacing<Layer.Success<typeof memory>>()(IdempotencyStore, replace)

const compared = "claims, ends and purges keys as core does, in organisations with the same ones"
const atOnce = "claims and ends a key at once as in some order"
const exact = "keeps organisations, callers and keys apart that differ in anything, and each answer as it is"

const claiming = (change: (request: IdempotencyRequest) => Partial<IdempotencyRequest>) =>
  inStore(({ claim }) => ({ claim: (owner, key, request) => claim(owner, key, { ...request, ...change(request) }) }))

const naming = (change: (key: IdempotencyKey) => IdempotencyKey) =>
  inStore((intact) => ({
    claim: (owner, key, request) => intact.claim(owner, change(key), request),
    end: (owner, key, attempt) => intact.end(owner, change(key), attempt)
  }))

const withText = (change: (text: string) => string) => naming(({ caller, key }) => ({ caller, key: change(key) }))
const withCaller = (change: (caller: string) => string) =>
  naming(({ caller, key }) => ({ caller: change(caller), key }))

type End = Service["end"]
type Tag = IdempotencyOutcome["_tag"]

/** Ends claims in another way when the outcome is the given one. */
const ending = (end: End, outcome: Tag, otherwise: End): Pick<Service, "end"> => ({
  end: (owner, key, attempt) => (attempt.outcome._tag === outcome ? otherwise : end)(owner, key, attempt)
})

/** Ends claims of the given outcome with another one. */
const as = (outcome: Tag, other: (outcome: IdempotencyOutcome) => IdempotencyOutcome) =>
  inStore(({ end }) =>
    ending(end, outcome, (owner, key, attempt) => end(owner, key, { ...attempt, outcome: other(attempt.outcome) }))
  )

const nameOf = (owner: string, { caller, key }: IdempotencyKey): string => `${owner} ${caller} ${key}`

/** Keeps the seed of the claim there is, for methods that pay no heed to the one they are given. */
const forgettingSeeds = (
  change: (intact: Service, seedNow: (name: string, seed: string) => string) => Partial<Service>
) =>
  inStore((intact) => {
    const seeds = new Map<string, string>()
    return {
      claim: (owner, key, request) =>
        Effect.tap(intact.claim(owner, key, request), (claim) =>
          Effect.sync(() => claim._tag === "Claimed" && seeds.set(nameOf(owner, key), claim.seed))
        ),
      ...change(intact, (name, seed) => seeds.get(name) ?? seed)
    }
  })

notices(idempotencyStoreConformance, memory, [
  {
    breakage: "lets everybody through",
    breaks: inStore(() => ({ claim: (_owner, _key, { seed }) => Effect.succeed({ _tag: "Claimed", seed }) })),
    noticedBy: [compared, atOnce, exact]
  },
  {
    breakage: "looks for a claim a moment before it makes its own",
    breaks: inStore(({ claim, end }) => ({
      claim: Effect.fnUntraced(function* (owner, key, request) {
        const found = yield* claim(owner, key, request)
        if (found._tag !== "Claimed" || found.seed !== request.seed) return found
        yield* end(owner, key, { seed: found.seed, outcome: { _tag: "Refused" } })
        yield* Effect.yieldNow
        const again = yield* claim(owner, key, request)
        return again._tag === "InUse" ? found : again
      })
    })),
    noticedBy: [atOnce]
  },
  {
    breakage: "has no leases that end",
    breaks: claiming(({ expiresAt }) => ({ leaseUntil: expiresAt })),
    noticedBy: [compared]
  },
  {
    breakage: "has no leases at all",
    breaks: claiming(({ now }) => ({ leaseUntil: now })),
    noticedBy: [compared, atOnce]
  },
  {
    breakage: "gives a new seed to who claims again",
    breaks: inStore(({ claim }) => ({
      claim: (owner, key, request) =>
        Effect.map(claim(owner, key, request), (found) =>
          found._tag === "Claimed" ? { _tag: "Claimed", seed: request.seed } : found
        )
    })),
    noticedBy: [compared]
  },
  {
    breakage: "never forgets",
    breaks: claiming(({ expiresAt }) => ({ expiresAt: DateTime.add(expiresAt, { days: 1 }) })),
    noticedBy: [compared]
  },
  {
    breakage: "forgets a second early",
    breaks: claiming(({ expiresAt }) => ({ expiresAt: DateTime.subtract(expiresAt, { seconds: 1 }) })),
    noticedBy: [compared]
  },
  {
    breakage: "removes claims with their leases",
    breaks: claiming(({ leaseUntil }) => ({ expiresAt: leaseUntil })),
    noticedBy: [compared]
  },
  {
    breakage: "takes every request for the same",
    breaks: claiming(() => ({ fingerprint: "" })),
    noticedBy: [compared]
  },
  {
    breakage: "compares requests without case",
    breaks: claiming(({ fingerprint }) => ({ fingerprint: fingerprint.toLowerCase() })),
    noticedBy: [compared]
  },
  { breakage: "has keys without case", breaks: withText((text) => text.toLowerCase()), noticedBy: [exact] },
  { breakage: "cuts long keys", breaks: withText((text) => text.slice(0, 254)), noticedBy: [exact] },
  { breakage: "has the same keys for all callers", breaks: withCaller(() => "host"), noticedBy: [compared, exact] },
  {
    breakage: "has callers without case",
    breaks: withCaller((caller) => caller.toLowerCase()),
    noticedBy: [exact]
  },
  { breakage: "cuts long callers", breaks: withCaller((caller) => caller.slice(0, 400)), noticedBy: [exact] },
  {
    breakage: "joins caller and key",
    breaks: naming(({ caller, key }) => ({ caller: "host", key: caller + key })),
    noticedBy: [exact]
  },
  {
    breakage: "releases the key of every caller",
    breaks: inStore(({ end }) =>
      ending(end, "Refused", (owner, { key }, attempt) =>
        Effect.forEach(["user 1", "user 11", "host"], (caller) => end(owner, { caller, key }, attempt), {
          discard: true
        })
      )
    ),
    noticedBy: [compared]
  },
  {
    breakage: "keeps the claims of all organisations together",
    breaks: inStore((intact) => {
      const everyone = anOrganisationId()
      return {
        claim: (_, key, request) => intact.claim(everyone, key, request),
        end: (_, key, attempt) => intact.end(everyone, key, attempt)
      }
    }),
    noticedBy: [compared, exact]
  },
  {
    breakage: "trims answers",
    breaks: as("Answered", (outcome) =>
      outcome._tag === "Answered" ? { ...outcome, answer: outcome.answer.trim() } : outcome
    ),
    noticedBy: [exact]
  },
  {
    breakage: "takes an empty answer for none",
    breaks: inStore(({ end }) => ({
      end: (owner, key, attempt) => {
        const { outcome } = attempt
        return outcome._tag === "Answered" && outcome.answer === "" ? Effect.void : end(owner, key, attempt)
      }
    })),
    noticedBy: [exact]
  },
  ...(["Answered", "Refused", "Unknown"] as const).map((outcome) => ({
    breakage: `ends any claim of the key that is ${outcome}`,
    breaks: forgettingSeeds(({ end }, seedNow) =>
      ending(end, outcome, (owner, key, { seed, ...attempt }) =>
        end(owner, key, { ...attempt, seed: seedNow(nameOf(owner, key), seed) })
      )
    ),
    noticedBy: [compared] as const
  })),
  {
    breakage: "releases instead of abandoning",
    breaks: as("Unknown", () => ({ _tag: "Refused" })),
    noticedBy: [compared]
  },
  {
    breakage: "abandons instead of releasing",
    breaks: as("Refused", () => ({ _tag: "Unknown", now: DateTime.makeUnsafe(0) })),
    noticedBy: [compared]
  },
  {
    breakage: "keeps the last answer",
    breaks: inStore(({ claim, end }) => {
      const last = new Map<string, string>()
      return {
        claim: (owner, key, request) =>
          Effect.map(claim(owner, key, request), (found) =>
            found._tag === "Answered" ? { ...found, answer: last.get(nameOf(owner, key)) ?? found.answer } : found
          ),
        end: (owner, key, attempt) =>
          Effect.tap(end(owner, key, attempt), () =>
            Effect.sync(
              () => attempt.outcome._tag === "Answered" && last.set(nameOf(owner, key), attempt.outcome.answer)
            )
          )
      }
    }),
    noticedBy: [compared]
  }
])
