/**
 * What the model says to steps of a test, with answers of the service that the test changes.
 */
import { afterAll, beforeAll } from "vitest"
import { postgresUrl, randomSchema, withoutPostgres } from "../../../packages/adapter-postgres/test/Databases.ts"
import { runSteps, type Step } from "../../src/model/Runner.ts"
import { onSchema, places } from "../../src/model/targets/Databases.ts"
import type { Place, Target } from "../../src/model/targets/Target.ts"

/** "nothing" when the model agrees with the target, which is closed afterwards. */
export const findingOn = async (target: Target, steps: ReadonlyArray<Step>): Promise<string> => {
  try {
    await runSteps(target, steps)
    return "nothing"
  } catch (error) {
    return String(error)
  } finally {
    await target.close()
  }
}

export type Change = (request: Request, forward: (request: Request) => Promise<Response>) => Promise<Response>

/** Some requests answered by `change`. */
export const answering =
  (change: Change) =>
  (target: Target): Partial<Target> => ({
    fetch: (toRequest, server) =>
      change(toRequest("http://solar.test"), (request) => target.fetch(() => request, server))
  })

/**
 * A database for the tests of a suite: the Postgres server of the run, or PGlite where there is none, which takes a fifth
 * more time. `finding` makes a target of its own, with parts replaced.
 */
export const onDatabase = () => {
  let place: Place

  beforeAll(async () => {
    const made = withoutPostgres ? await places["pglite"]?.("short") : await onSchema(postgresUrl, randomSchema())
    if (made === undefined) throw new Error("PGlite is part of the dependencies")
    place = made
  }, 120_000)

  afterAll(() => place.close())

  const make = () => place.make()
  const finding = async (steps: ReadonlyArray<Step>, change: (target: Target) => Partial<Target> = () => ({})) => {
    const target = await make()
    return findingOn({ ...target, ...change(target) }, steps)
  }
  return { make, finding }
}
