/** Imports into organisations in memory, and exports of them over HTTP. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  Caller,
  CurrentCaller,
  Organisations,
  type PortfolioId,
  type Site,
  Sites,
  SolarSitesServices
} from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Exit, Layer, Scope } from "effect"
import * as ImportServices from "../../src/import/ImportServices.ts"
import { type ImportOptions, type ImportResult, importSites } from "../../src/import/SiteImport.ts"

type Services = SolarSitesServices.SolarSitesPorts | SolarSitesServices.SolarSitesServices

const defaults: ImportOptions = { mappings: [], upsert: false, dryRun: false }

export type Import = (content: string | Uint8Array, options?: Partial<ImportOptions>) => Promise<ImportResult>

export const makeImporting = async () => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-"))
  const scope = Scope.makeUnsafe()
  const context = await Effect.runPromise(
    Layer.buildWithScope(
      ImportServices.layer.pipe(Layer.provideMerge(SolarSitesServices.layer), Layer.provideMerge(MemoryAdapters.layer)),
      scope
    )
  )
  let callerOfRequests: Caller | null = null
  const web = toWebHandler(Layer.succeedContext(context), { authenticate: () => callerOfRequests })
  let count = 0

  const joinAs = async () => {
    const run = <A, E>(effect: Effect.Effect<A, E, Services | CurrentCaller>, caller: Caller): Promise<A> =>
      Effect.runPromise(effect.pipe(Effect.provideService(CurrentCaller, caller), Effect.provideContext(context)))
    const operator = new Caller({ organisationId: "" as never, userId: null, apiKeyId: null })
    const { id } = await run(
      Organisations.use(({ create }) => create({ name: "Sunfield" })),
      operator
    )
    const caller = new Caller({ organisationId: id, userId: null, apiKeyId: null })
    const runAs = <A, E>(effect: Effect.Effect<A, E, Services | CurrentCaller>) => run(effect, caller)
    /** Writes a file. */
    const write = async (content: string | Uint8Array): Promise<string> => {
      const path = join(folder, `${count++}`)
      await writeFile(path, content)
      return path
    }
    return {
      organisationId: id,
      runAs,
      /** As a caller that is limited to portfolios. */
      runLimited: <A, E>(
        portfolioIds: ReadonlyArray<PortfolioId>,
        effect: Effect.Effect<A, E, Services | CurrentCaller>
      ) => run(effect, new Caller({ ...caller, portfolioIds })),
      /** As a caller that is limited to portfolios. */
      importLimited:
        (...portfolioIds: ReadonlyArray<PortfolioId>): Import =>
        async (content, options) =>
          run(importSites(await write(content), { ...defaults, ...options }), new Caller({ ...caller, portfolioIds })),
      /** With `sites`, through this service. */
      importWith:
        (sites?: Sites["Service"]): Import =>
        async (content, options) => {
          const importing: Effect.Effect<ImportResult, unknown, Services | CurrentCaller> = importSites(
            await write(content),
            { ...defaults, ...options }
          )
          return runAs(sites === undefined ? importing : Effect.provideService(importing, Sites, sites))
        },
      sites: async (): Promise<ReadonlyArray<Site>> => (await runAs(Sites.use(({ list }) => list()))).data,
      exported: async (): Promise<string> => {
        callerOfRequests = caller
        const request = new Request("http://localhost/api/sites", { headers: { accept: "text/csv" } })
        return (await web.handler(request)).text()
      }
    }
  }
  return {
    join: joinAs,
    close: async () => {
      await web.dispose()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await rm(folder, { recursive: true, force: true })
    }
  }
}
