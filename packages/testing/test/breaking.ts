/**
 * Tests a suite against adapters that are broken on purpose: the in-memory ones
 * with a method replaced. The cases in `noticedBy` run and must fail.
 */
import { AccessChanges, type OrganisationId } from "@solar-sites/core"
import {
  type ConformanceSuite,
  MemoryApiKeyStore,
  MemoryDatabase,
  MemoryDocumentRepository,
  MemoryEventRepository,
  MemoryOrganisationRepository,
  MemoryPortfolioRepository,
  MemoryRecords,
  MemoryRequirementRepository,
  MemorySiteRepository,
  MemoryWebhookQueue
} from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { failedCases, unnoticed } from "./failedCases.ts"
import { type Database, viewOf } from "./memoryView.ts"

export type { Database } from "./memoryView.ts"

export interface Breakage<Service> {
  readonly breakage: string
  readonly replace: (intact: Service, database: Database) => Partial<Service>
  readonly noticedBy: readonly [string, ...Array<string>]
}

const memory = Layer.mergeAll(
  MemoryOrganisationRepository.layer,
  MemoryRecords.layer,
  MemorySiteRepository.layer,
  MemoryPortfolioRepository.layer,
  MemoryDocumentRepository.layer,
  MemoryApiKeyStore.layer,
  MemoryEventRepository.layer,
  MemoryRequirementRepository.layer,
  MemoryWebhookQueue.layer,
  AccessChanges.layerInProcess
).pipe(Layer.provideMerge(MemoryDatabase.layer))

type Ports = Layer.Success<typeof memory>

export const notices = <Id extends Ports, Service extends object>(
  suite: ConformanceSuite<Ports>,
  port: Context.Key<Id, Service>,
  breakages: ReadonlyArray<Breakage<Service>>
): void => {
  describe(`the ${suite.port} suite notices an adapter that`, () => {
    for (const { breakage, noticedBy, replace } of breakages) {
      it(breakage, async () => {
        const broken = Layer.effectContext(
          Effect.map(Layer.build(memory), (context) => {
            const intact = Context.get(context, port)
            const replaced = replace(intact, viewOf(Context.get(context, MemoryDatabase)))
            return Context.add(context, port, { ...intact, ...replaced })
          })
        )
        const failed = await failedCases(suite, broken, noticedBy)
        expect(unnoticed(noticedBy, failed), `failed: ${failed}`).toEqual([])
      })
    }
  })
}

/** The organisation that a record is really in: what an adapter without isolation works on. */
export const whereverIs = (
  database: Database,
  kind: "sites" | "portfolios" | "documents" | "apiKeys",
  id: string
): OrganisationId | undefined =>
  [...database].find(([, owned]) => [...owned[kind].keys()].some((key) => key === id))?.[0]
