import { ConfigProvider, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { fromEnvironment, logSettings, settings } from "../../src/configuration/Settings.ts"
import { documentedVariables } from "../OperationsPage.ts"

const read = (provider: ConfigProvider.ConfigProvider) =>
  Effect.all([fromEnvironment(settings), fromEnvironment(logSettings)]).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, provider),
    Effect.runSync
  )

describe("the operations page", () => {
  it("has every variable that is read, and no other", () => {
    const asked = new Set<string>()
    read(
      ConfigProvider.make((path) =>
        Effect.sync(() => {
          asked.add(path.join("_"))
          return undefined
        })
      )
    )
    expect([...documentedVariables.keys()].toSorted()).toEqual([...asked].toSorted())
  })

  it("names the defaults that the server has", () => {
    const named = [...documentedVariables].flatMap(([name, fallback]) =>
      fallback === undefined ? [] : [[name, fallback]]
    )
    expect(named.length).toBeGreaterThan(10)
    expect(read(ConfigProvider.fromEnvRecord(Object.fromEntries(named)))).toEqual(
      read(ConfigProvider.fromEnvRecord({}))
    )
  })
})
