/**
 * A process of its own on an embedded database, for tests that need another one
 * or one that is killed. Says a line for each thing it has done.
 *
 * `hold FOLDER` opens the folder and waits; `write FOLDER` stores organisations with a
 * portfolio, one after the other, and names each organisation once both were acknowledged.
 */
import { layerPorts, migrate } from "@solar-sites/adapter-postgres"
import { layer } from "@solar-sites/adapter-postgres/pglite"
import { OrganisationRepository } from "@solar-sites/core"
import { anOrganisation, aPortfolio, portfolioMethods } from "@solar-sites/testing"
import { Effect, Layer } from "effect"

const [mode = "", dataDir = ""] = process.argv.slice(2)

const say = (line: string) => Effect.sync(() => void process.stdout.write(`${line}\n`))

const write = Effect.gen(function* () {
  yield* migrate
  const organisations = yield* OrganisationRepository
  const portfolios = yield* portfolioMethods
  const one = Effect.suspend(() => {
    const organisation = anOrganisation()
    const portfolio = aPortfolio({ organisationId: organisation.id })
    return organisations
      .insert(organisation)
      .pipe(Effect.andThen(portfolios.insertMany(organisation.id, [portfolio])), Effect.andThen(say(organisation.id)))
  })
  yield* Effect.forever(one)
})

// Reading from the parent keeps the process alive; an idle database does not.
const hold = Effect.sync(() => process.stdin.resume()).pipe(
  Effect.andThen(say("holding")),
  Effect.andThen(Effect.never)
)

await Effect.runPromise(
  Effect.provide(
    mode === "write" ? write : hold,
    Layer.provideMerge(layerPorts, layer({ dataDir, queryTimeout: "30 seconds" }))
  )
)
