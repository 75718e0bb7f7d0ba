/**
 * Conformance suites as data, for any test runner.
 */
import { Effect, type Layer } from "effect"

/**
 * One promise of a port and the effect that checks it. A case fails with an assertion error. It
 * uses its own organisations, so that cases can share a database and run in parallel.
 */
export interface ConformanceCase<Ports> {
  readonly name: string
  readonly check: Effect.Effect<void, unknown, Ports>
}

/** All promises of a port. `Ports` are this port and those needed for the setup. */
export interface ConformanceSuite<Ports> {
  readonly port: string
  readonly cases: ReadonlyArray<ConformanceCase<Ports>>
  /** Promises for a failing database, checked when the adapter can break its database. */
  readonly failures?: ReadonlyArray<ConformanceCase<Ports>>
}

/** The required part of a test runner. Vitest, Jest, Mocha and `node:test` fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/**
 * An adapter under test. `breakDatabase` creates the adapter on a database that fails every
 * statement, such as one without tables. Without it the cases about failures are skipped.
 */
export interface ConformanceAdapter<Ports> {
  readonly name: string
  readonly layer: Layer.Layer<Ports, unknown>
  readonly breakDatabase?: (() => Layer.Layer<Ports, unknown>) | undefined
}

/**
 * Registers all cases of a suite with the test runner. The layer is built for each case; for an
 * expensive adapter, build it once and pass `Layer.succeedContext` or `Layer.effectContext`.
 */
export const runConformance = <Ports>(
  runner: TestRunner,
  { cases, failures = [], port }: ConformanceSuite<Ports>,
  { breakDatabase, layer, name: adapter }: ConformanceAdapter<Ports>
): void => {
  runner.describe(`${port} conformance: ${adapter}`, () => {
    for (const { check, name } of cases) {
      runner.it(name, () => Effect.runPromise(Effect.provide(check, layer)))
    }
    if (breakDatabase === undefined) return
    for (const { check, name } of failures) {
      runner.it(name, () => Effect.runPromise(Effect.provide(check, breakDatabase())))
    }
  })
}
