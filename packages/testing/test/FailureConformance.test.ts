import {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  foundOf,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
  Records,
  RepositoryError,
  RequirementRepository,
  SiteRepository,
  Stale
} from "@solar-sites/core"
import {
  apiKeyStoreConformance,
  type ConformanceSuite,
  documentRepositoryConformance,
  idempotencyStoreConformance,
  MemoryAdapters,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  recordsConformance,
  requirementRepositoryConformance,
  runConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { failedCases } from "./failedCases.ts"

const ports = {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
  Records,
  RequirementRepository,
  SiteRepository
}

type Ports = Layer.Success<typeof MemoryAdapters.layer>

/** The in-memory adapters as if their database failed: there is none that could. */
const broken: Layer.Layer<Ports> = Layer.effectContext(
  Effect.map(Layer.build(MemoryAdapters.layer), (context) =>
    Object.entries<Context.Key<Ports, object>>(ports).reduce((all, [name, port]) => {
      const failing = Object.keys(Context.getUnsafe(all, port)).map((method) => {
        const cause = new Error("The connection was lost")
        const error = new RepositoryError({ operation: `${name}.${method}`, retryable: true, cause })
        return [method, () => Effect.fail(error)]
      })
      return Context.merge(all, Context.make(port, Object.fromEntries(failing)))
    }, context)
  )
)

const suites: ReadonlyArray<ConformanceSuite<Ports>> = [
  organisationRepositoryConformance,
  recordsConformance,
  siteRepositoryConformance,
  portfolioRepositoryConformance,
  documentRepositoryConformance,
  requirementRepositoryConformance,
  apiKeyStoreConformance,
  idempotencyStoreConformance
]

for (const { failures, port } of suites) {
  const adapter = { name: "a database that fails", layer: MemoryAdapters.layer, breakDatabase: () => broken }
  runConformance({ describe, it }, { port, cases: [], ...(failures && { failures }) }, adapter)
}

it("the cases about failures run only where an adapter can break its database", () => {
  const { failures = [], port } = siteRepositoryConformance
  const names: Array<string> = []
  const runner = { describe: (_: string, body: () => void) => body(), it: (name: string) => names.push(name) }
  runConformance(runner, { port, cases: [], failures }, { name: "memory", layer: MemoryAdapters.layer })
  expect(names).toEqual([])
})

interface Broken {
  readonly suite: ConformanceSuite<Ports>
  readonly layer: Layer.Layer<Ports>
}

/** A port over the failing database, with some of its methods replaced. */
const breaking =
  <Id extends Ports, Service extends object>(suite: ConformanceSuite<Ports>, port: Context.Key<Id, Service>) =>
  (replace: (intact: Service) => Partial<Service>): Broken => ({
    suite,
    layer: Layer.effectContext(
      Effect.map(Layer.build(broken), (context) => {
        const intact = Context.get(context, port)
        return Context.add(context, port, { ...intact, ...replace(intact) })
      })
    )
  })

const inSites = breaking(siteRepositoryConformance, SiteRepository)
const inRecords = breaking(recordsConformance, Records)

const breakages: ReadonlyArray<readonly [string, Broken]> = [
  [
    "reports a failure as absence",
    inRecords(({ load }) => ({ load: (...asked) => Effect.orElseSucceed(load(...asked), () => foundOf([])) }))
  ],
  [
    "reports a failure as a stale change",
    inRecords(({ commit }) => ({
      commit: (...asked) => Effect.orElseSucceed(commit(...asked), () => new Stale({ conflict: "a lost connection" }))
    }))
  ],
  [
    "reports a failure as an absent site",
    inSites((intact) => ({ delete: (...asked) => Effect.orElseSucceed(intact.delete(...asked), () => null) }))
  ],
  [
    "reports a failure as an empty page",
    inSites(({ list }) => ({
      list: (...asked) => Effect.orElseSucceed(list(...asked), () => ({ items: [], hasMore: false }))
    }))
  ],
  [
    "reports a failure as a defect",
    inSites(({ saveMany }) => ({ saveMany: (...asked) => Effect.orDie(saveMany(...asked)) }))
  ],
  [
    "reports a failure as success",
    inSites((intact) => ({
      delete: (...asked) => Effect.orElseSucceed(intact.delete(...asked), () => ({ version: 1, isExpected: true }))
    }))
  ],
  [
    "names no method that failed",
    inSites((intact) => ({
      delete: (...asked) =>
        Effect.catchTag(intact.delete(...asked), "RepositoryError", (error) =>
          Effect.fail(new RepositoryError({ ...error, operation: "query" }))
        )
    }))
  ]
]

describe("the cases about failures notice an adapter that", () => {
  it.for(breakages)(
    "%s",
    async ([
      ,
      {
        layer,
        suite: { failures = [], port }
      }
    ]) => {
      expect(await failedCases({ port, cases: failures }, layer)).toHaveLength(1)
    }
  )
})
