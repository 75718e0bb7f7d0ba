import {
  apiScopes,
  CurrentCaller,
  RepositoryError,
  SolarSites,
  type SolarSitesOperations,
  type SolarSitesServices,
  StorageError
} from "@solar-sites/core"
import { SolarSitesHarness } from "@solar-sites/testing"
import { Context, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeClient } from "../src/client/index.ts"
import { toWebHandler } from "../src/index.ts"
import { call, exampleArguments, makeScene, type Row, rows } from "./OperationScene.ts"

type Ports = SolarSitesServices.SolarSitesPorts

const cause = new Error("connection lost")

const failureOf = (port: string, operation: string) =>
  port === "DocumentStorage"
    ? new StorageError({ operation, reason: "unavailable", cause })
    : new RepositoryError({ operation, retryable: true, cause })

/** Ports that report the calls of an operation, and fail at the one that `failing` names. */
const watched = (ports: Context.Context<Ports>, calls: Set<string>, state: { failing: string | null }) => {
  const all = [...ports.mapUnsafe].map(([key, port]): readonly [string, unknown] => {
    const name = key.slice(key.lastIndexOf("/") + 1)
    // The check of the key calls other ports.
    if (!/^(DocumentStorage|Records|(Document|Event|Portfolio|Requirement|Site)Repository)$/.test(name))
      return [key, port]
    const methods = Object.entries(Object(port)).map(([method, run]) => [
      method,
      typeof run !== "function"
        ? run
        : (...input: ReadonlyArray<unknown>) => {
            const place = `${name}.${method}`
            return Effect.withFiber(({ context }) => {
              // Background work has no caller.
              if (!context.mapUnsafe.has(CurrentCaller.key)) return run(...input)
              calls.add(place)
              return state.failing === place ? Effect.fail(failureOf(name, place)) : run(...input)
            })
          }
    ])
    return [key, Object.fromEntries(methods)]
  })
  return Layer.succeedContext(Context.makeUnsafe<Ports>(new Map(all)))
}

const implementations = {
  library: (layer: Layer.Layer<Ports>) => {
    const solar = SolarSites.make(layer)
    const as = async (key: string): Promise<SolarSitesOperations> => solar.as(await solar.authenticate(key))
    return { as, close: solar.close }
  },
  client: (layer: Layer.Layer<Ports>) => {
    const { dispose, handler } = toWebHandler(layer, { rateLimitPerMinute: 0 })
    const fetch = (input: string | URL | Request, init?: RequestInit) => handler(new Request(input, init))
    const as = async (apiKey: string): Promise<SolarSitesOperations> =>
      makeClient({ baseUrl: "http://solar.test", apiKey, fetch, retry: false })
    return { as, close: dispose }
  }
}

/** Failures that refuse a part of the answer alone: a file without an address. */
const partial: Readonly<Record<string, string>> = {
  "documents.issueUploads": "DocumentStorage.signUploads"
}

const codeOf = (port: string) => (port.startsWith("DocumentStorage") ? "storage_unavailable" : "database_unavailable")

const attempt = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    () => "success",
    ({ code }) => code
  )

describe.each(["library", "client"] as const)("failures of ports in the %s", (implementation) => {
  let harness: SolarSitesHarness.Harness
  beforeAll(async () => {
    harness = await SolarSitesHarness.make()
  })
  afterAll(() => harness.dispose())

  it.each(rows.map((row): readonly [string, Row] => [row.name, row]))(
    "end %s with the failure of each port that it uses, and leave it possible",
    async (_, row) => {
      const places = new Set<string>()
      const failed = new Set<string>()
      // The first round finds the ports, each further one lets one of them fail.
      for (let failing: string | null | undefined = null; failing !== undefined; ) {
        const scene = await makeScene(harness)
        const ports = Effect.runSync(Effect.scoped(Effect.provide(Effect.context<Ports>(), harness.layer)))
        const calls = new Set<string>()
        const state = { failing }
        const { as, close } = implementations[implementation](watched(ports, calls, state))
        const operations = await as(await scene.keyWith(apiScopes))
        const args = exampleArguments(row, scene.ids)
        if (failing !== null) {
          failed.add(failing)
          const expected = partial[row.name] === failing ? "success" : codeOf(failing)
          expect([failing, await attempt(call(operations, row, args))]).toEqual([failing, expected])
        }
        state.failing = null
        expect([failing, await attempt(call(operations, row, args))]).toEqual([failing, "success"])
        // After a failure an operation may use further ports.
        if (failing === null) for (const place of calls) places.add(place)
        await close()
        failing = [...places].find((place) => !failed.has(place))
      }
      expect(places.size).toBeGreaterThan(0)
    }
  )
})
