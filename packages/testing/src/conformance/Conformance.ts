/**
 * Conformance suites as plain data, so that any test runner can run them.
 */
import { Effect, type Layer } from "effect"

/**
 * One promise a port makes, and the effect that checks it. A case fails by
 * dying with an assertion error. It works in organisations of its own, so that
 * cases may share a database with others and run at the same time.
 *
 * @category models
 * @since 0.1.0
 */
export interface ConformanceCase<Ports> {
  readonly name: string
  readonly check: Effect.Effect<void, unknown, Ports>
}

/**
 * Everything a port promises. `Ports` are that port and those that a case needs
 * to set its setup.
 *
 * @category models
 * @since 0.1.0
 */
export interface ConformanceSuite<Ports> {
  readonly port: string
  readonly cases: ReadonlyArray<ConformanceCase<Ports>>
  /** What is promised when the database fails; checked where an adapter can break its database. */
  readonly failures?: ReadonlyArray<ConformanceCase<Ports>>
}

/**
 * The part of a test runner a suite needs. Vitest, Jest, Mocha and `node:test`
 * all fit.
 *
 * @category models
 * @since 0.1.0
 */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/**
 * An adapter to check. `breakDatabase` makes an adapter over a database that fails
 * every statement, such as one whose tables are missing; without it the cases
 * about failures are left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface ConformanceAdapter<Ports> {
  readonly name: string
  readonly layer: Layer.Layer<Ports, unknown>
  readonly breakDatabase?: (() => Layer.Layer<Ports, unknown>) | undefined
}

/**
 * Registers every case of a suite with the caller's test runner. The layer is
 * built anew for each case; where building is expensive, build the adapter once
 * and hand over `Layer.succeedContext` or `Layer.effectContext` of the result.
 *
 * @category running
 * @since 0.1.0
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
