import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type ClientOptions, makeClient, type SolarSitesClient } from "../src/client/index.ts"
import { exampleIssuedUpload } from "../src/contract/Examples.ts"
import { aKey, rejection, scriptedClient, success } from "./ClientSetup.ts"
import { nobodys } from "./Setup.ts"

/** What only JavaScript lets through. */
const untyped = (value: unknown) => value as never

const first = ({ value }: { value: unknown }) => value

describe("a call with options that it does not have", () => {
  const strange = untyped({ ifMatch: 9 })
  const everywhere = "signal, timeoutMillis"

  it.each<[string, string, (client: SolarSitesClient) => Promise<unknown>]>([
    ["reads", "", ({ sites }) => sites.get(nobodys, strange)],
    ["lists", "", ({ portfolios }) => portfolios.list({}, strange)],
    ["iterates", "", ({ documents }) => documents.iterate({}, strange).next().then(first)],
    ["creates", ", idempotencyKey", ({ portfolios }) => portfolios.create({ name: "East" }, strange)],
    ["issues again", ", idempotencyKey", ({ documents }) => documents.reissueUpload(nobodys, strange)],
    ["updates", ", expectedVersion", ({ sites }) => sites.update(nobodys, {}, strange)],
    ["deletes", ", expectedVersion", ({ sites }) => sites.delete(nobodys, strange)],
    ["takes out", ", expectedVersion", ({ portfolios }) => portfolios.removeSites(nobodys, [nobodys], strange)],
    ["asks who it is", "", ({ me }) => me(strange)],
    [
      "sends",
      ", onProgress",
      ({ uploads }) => uploads.send(untyped({ ...exampleIssuedUpload, success: true }), new Blob(["x"]), strange)
    ]
  ])("is refused and not sent, with the names of those there are: %s", async (_, own, call) => {
    const { client, seen } = scriptedClient([success({})])
    const error = await rejection(call(client))
    expect(error).toBeInstanceOf(TypeError)
    expect(`${error}`).toBe(`TypeError: ifMatch: no option of this call, which has ${everywhere}${own}`)
    expect(seen).toEqual([])
  })

  it("is refused when they are those of another call, or what belongs into them", async () => {
    const { client, seen } = scriptedClient([success({})])
    const { signal } = new AbortController()
    for (const [call, name] of [
      [client.sites.get(nobodys, untyped({ expectedVersion: 1 })), "expectedVersion"],
      [client.sites.update(nobodys, {}, untyped({ idempotencyKey: "key" })), "idempotencyKey"],
      [client.me(untyped(signal)), "aborted"]
    ] as const) {
      expect(await rejection(call)).toMatchObject({
        message: expect.stringMatching(`^${name}: no option of this call`)
      })
    }
    const controller = client.me(untyped({ signal: new AbortController() }))
    expect(`${await rejection(controller)}`).toBe(
      "TypeError: signal: an AbortSignal, such as the signal of an AbortController"
    )
    expect(seen).toEqual([])
  })

  it("may leave each of its own undefined", async () => {
    const { client, seen } = scriptedClient([success({})])
    await client.sites.update(nobodys, {}, { expectedVersion: undefined, signal: undefined, timeoutMillis: undefined })
    expect(seen).toHaveLength(1)
  })
})

describe("a client that is made wrongly", () => {
  const make = (options?: Partial<Record<keyof ClientOptions, unknown>>) => () => makeClient(untyped(options))

  it.each([
    ["without anything", undefined],
    ["without an address", {}],
    ["with the name of a path alone", { baseUrl: "solar" }],
    ["with the name of a host alone", { baseUrl: "solar.example.com" }],
    ["with host and port alone", { baseUrl: "localhost:3000" }],
    ["with an address that was not set", { baseUrl: "" }],
    ["with a URL of something else", { baseUrl: new URL("file:///solar") }],
    ["with a number", { baseUrl: 3000 }]
  ])("says at once what to give: %s", (_, options) => {
    expect(make(options)).toThrow(TypeError)
    expect(make(options)).toThrow(/^baseUrl: an http or https address without .*, or in a page a path such as \/solar$/)
  })

  it("takes a URL as well", async () => {
    let asked = ""
    const fetch = async ({ url }: Request) => {
      asked = url
      return new Response("{}")
    }
    await makeClient({ baseUrl: new URL("https://example.com/solar/"), fetch }).me()
    expect(asked).toBe("https://example.com/solar/api/me")
  })

  it("is told of a key that is no text", () => {
    expect(make({ baseUrl: "http://localhost", apiKey: Redacted.make(aKey()) })).toThrow(/^apiKey: not a key/)
  })
})
