import {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
  RepositoryError,
  RequirementRepository,
  SiteNotFound,
  SiteRepository
} from "@solar-sites/core"
import {
  apiKeyStoreConformance,
  type ConformanceSuite,
  documentRepositoryConformance,
  idempotencyStoreConformance,
  MemoryAdapters,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  requirementRepositoryConformance,
  runConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { Context, Effect, Layer, Option } from "effect"
import { describe, expect, it } from "vitest"
import { failedCases } from "./failedCases.ts"

const ports = {
  ApiKeyStore,
  DocumentMaintenance,
  DocumentRepository,
  IdempotencyStore,
  OrganisationRepository,
  PortfolioRepository,
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

const breakages: ReadonlyArray<
  readonly [string, (sites: SiteRepository["Service"]) => Partial<SiteRepository["Service"]>]
> = [
  [
    "reports a failure as absence",
    ({ findById }) => ({ findById: (...asked) => Effect.orElseSucceed(findById(...asked), Option.none) })
  ],
  [
    "reports a failure as a refusal",
    ({ update }) => ({
      update: (owner, id, ...rest) =>
        Effect.mapError(update(owner, id, ...rest), () => new SiteNotFound({ siteIds: [id] }))
    })
  ],
  [
    "reports a failure as an empty page",
    ({ list }) => ({ list: (...asked) => Effect.orElseSucceed(list(...asked), () => ({ items: [], hasMore: false })) })
  ],
  ["reports a failure as a defect", ({ insert }) => ({ insert: (...asked) => Effect.orDie(insert(...asked)) })],
  ["reports a failure as success", (intact) => ({ delete: (...asked) => Effect.ignore(intact.delete(...asked)) })],
  [
    "names no method that failed",
    (intact) => ({
      delete: (...asked) =>
        Effect.catchTag(intact.delete(...asked), "RepositoryError", (error) =>
          Effect.fail(new RepositoryError({ ...error, operation: "query" }))
        )
    })
  ]
]

describe("the cases about failures notice an adapter that", () => {
  it.for(breakages)("%s", async ([, replace]) => {
    const layer = Layer.effectContext(
      Effect.map(Layer.build(broken), (context) => {
        const intact = Context.get(context, SiteRepository)
        return Context.add(context, SiteRepository, { ...intact, ...replace(intact) })
      })
    )
    const { failures = [], port } = siteRepositoryConformance
    expect(await failedCases({ port, cases: failures }, layer)).toHaveLength(1)
  })
})
