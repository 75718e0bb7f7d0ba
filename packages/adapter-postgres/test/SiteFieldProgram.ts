/**
 * Site conformance in memory and on embedded Postgres, and requests that set, change and clear one
 * text member of a site. `scripts/siteField.test.ts` runs it after it has added the member. The arguments
 * are its name and an empty folder. Exits with 1 and the reason when something fails.
 */
import { deepStrictEqual } from "node:assert/strict"
import { join } from "node:path"
import { layerPorts, migrate } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import {
  ApiKeys,
  Caller,
  CurrentCaller,
  type OrganisationRepository,
  Organisations,
  type PortfolioRepository,
  type SiteRepository,
  SolarSitesServices
} from "@solar-sites/core"
import { toWebHandler } from "@solar-sites/http-node"
import { MemoryAdapters, siteRepositoryConformance } from "@solar-sites/testing"
import { Effect, Layer, Redacted } from "effect"
import { copyEmptyDatabase } from "./EmptyDatabase.ts"

const [member = "", folder = ""] = process.argv.slice(2)

/** Members that the program reads of an answer. */
interface Answer {
  readonly id: string
  readonly version: number
  readonly data: ReadonlyArray<unknown>
  readonly errors: ReadonlyArray<{ readonly pointer: string }>
  readonly [member: string]: unknown
}

const pglite = layerPorts.pipe(
  Layer.provideMerge(Layer.effectDiscard(migrate)),
  Layer.provideMerge(Pglite.layer({ dataDir: join(folder, "database") }))
)

// Random steps leave a further member as a new site has it, and run elsewhere.
const cases = siteRepositoryConformance.cases.filter(({ name }) => !name.includes("(random steps"))

const conforms = Effect.fnUntraced(function* (adapter: string) {
  for (const { check, name } of cases) {
    yield* Effect.catchCause(check, (cause) => Effect.die(new Error(`${adapter}: ${name}: ${cause}`)))
  }
})

/** An API key of a new organisation. */
const makeKey = Effect.gen(function* () {
  const { id: organisationId } = yield* (yield* Organisations).create({ name: "Sunfield Energy" })
  const create = (yield* ApiKeys).create({ name: "test" })
  const caller = new Caller({ organisationId, userId: null, apiKeyId: null })
  return Redacted.value((yield* Effect.provideService(create, CurrentCaller, caller)).secret)
})

const answersRequests = Effect.gen(function* () {
  const key = yield* makeKey
  const { dispose, handler } = toWebHandler(
    Layer.succeedContext(yield* Effect.context<SolarSitesServices.SolarSitesPorts>())
  )
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { "x-api-key": key, "content-type": "application/json" }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    const response = await handler(new Request(`http://localhost/api/sites${path}`, init))
    return JSON.parse(await response.text())
  }
  yield* Effect.promise(async () => {
    const required = { siteName: "Long Meadow", capacity: 1, unit: "MW" }
    const text = 'First line\n"second" line'
    const made = await send("POST", "", { ...required, [member]: text })
    deepStrictEqual(made[member], text, "in the answer to a new site")
    deepStrictEqual(await send("GET", `/${made.id}`), made, "in one site")
    const other = await send("POST", "", required)
    deepStrictEqual(other[member], null, "where it is absent")
    deepStrictEqual((await send("GET", "?limit=2")).data, [made, other], "in a page")
    const changed = await send("PUT", `/${made.id}`, { [member]: "Changed" })
    deepStrictEqual([changed[member], changed.version], ["Changed", 2], "after a change")
    deepStrictEqual(await send("PUT", `/${made.id}`, { [member]: "Changed" }), changed, "after the same change")
    deepStrictEqual((await send("PUT", `/${made.id}`, { [member]: null }))[member], null, "after it was cleared")
    deepStrictEqual((await send("PUT", `/${made.id}`, { [member]: 1 })).errors[0]?.pointer, `/${member}`)
    await dispose()
  })
})

type Records = OrganisationRepository | PortfolioRepository | SiteRepository

const onEmbeddedPostgres = Layer.merge(MemoryAdapters.layer, pglite)

const run = (adapter: string, ports: Layer.Layer<Records | SolarSitesServices.SolarSitesPorts, unknown>) =>
  Effect.andThen(conforms(adapter), answersRequests).pipe(
    Effect.provide(Layer.provideMerge(SolarSitesServices.layer, ports)),
    Effect.runPromise
  )

await run("memory", MemoryAdapters.layer)
await copyEmptyDatabase(join(folder, "database"))
await run("embedded Postgres", onEmbeddedPostgres)
