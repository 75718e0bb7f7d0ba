import { Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { type ClientOptions, makeClient, type SolarSitesClient } from "../src/client/index.ts"
import { exampleIssuedUpload } from "../src/contract/Examples.ts"
import { aKey, rejection, scriptedClient, success } from "./ClientSetup.ts"
import { unknownId } from "./Setup.ts"

/** A value that does not compile in TypeScript. */
const untyped = (value: unknown) => value as never

const first = ({ value }: { value: unknown }) => value

describe("a call with an unknown option", () => {
  const unknownOption = untyped({ ifMatch: 9 })
  const everywhere = "signal, timeoutMillis"

  it.each<[string, string, (client: SolarSitesClient) => Promise<unknown>]>([
    ["reads", "", ({ sites }) => sites.get(unknownId, unknownOption)],
    ["lists", "", ({ portfolios }) => portfolios.list({}, unknownOption)],
    ["iterates", "", ({ documents }) => documents.iterate({}, unknownOption).next().then(first)],
    ["creates", ", idempotencyKey", ({ portfolios }) => portfolios.create({ name: "East" }, unknownOption)],
    ["reissues", ", idempotencyKey", ({ documents }) => documents.reissueUpload(unknownId, unknownOption)],
    ["updates", ", expectedVersion", ({ sites }) => sites.update(unknownId, {}, unknownOption)],
    ["deletes", ", expectedVersion", ({ sites }) => sites.delete(unknownId, unknownOption)],
    [
      "removes sites",
      ", expectedVersion",
      ({ portfolios }) => portfolios.removeSites(unknownId, [unknownId], unknownOption)
    ],
    ["reads its key", "", ({ me }) => me(unknownOption)],
    [
      "sends",
      ", onProgress",
      ({ uploads }) => uploads.send(untyped({ ...exampleIssuedUpload, success: true }), new Blob(["x"]), unknownOption)
    ]
  ])("is refused and not sent; the error names the known options: %s", async (_, own, call) => {
    const { client, seen } = scriptedClient([success({})])
    const error = await rejection(call(client))
    expect(error).toBeInstanceOf(TypeError)
    expect(`${error}`).toBe(`TypeError: ifMatch: no option of this call, which has ${everywhere}${own}`)
    expect(seen).toEqual([])
  })

  it("is refused for an option of another call, and for a signal in place of the options", async () => {
    const { client, seen } = scriptedClient([success({})])
    const { signal } = new AbortController()
    for (const [call, name] of [
      [client.sites.get(unknownId, untyped({ expectedVersion: 1 })), "expectedVersion"],
      [client.sites.update(unknownId, {}, untyped({ idempotencyKey: "key" })), "idempotencyKey"],
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

  it("ignores options that are undefined", async () => {
    const { client, seen } = scriptedClient([success({})])
    await client.sites.update(
      unknownId,
      {},
      { expectedVersion: undefined, signal: undefined, timeoutMillis: undefined }
    )
    expect(seen).toHaveLength(1)
  })
})

describe("a client with wrong options", () => {
  const make = (options?: Partial<Record<keyof ClientOptions, unknown>>) => () => makeClient(untyped(options))

  it.each([
    ["without options", undefined],
    ["without baseUrl", {}],
    ["with a relative path", { baseUrl: "solar" }],
    ["with a host name alone", { baseUrl: "solar.example.com" }],
    ["with host and port alone", { baseUrl: "localhost:3000" }],
    ["with an empty address", { baseUrl: "" }],
    ["with a URL of another protocol", { baseUrl: new URL("file:///solar") }],
    ["with a number", { baseUrl: 3000 }]
  ])("is refused at once: %s", (_, options) => {
    expect(make(options)).toThrow(TypeError)
    expect(make(options)).toThrow(/^baseUrl: an http or https address without .*, or in a page a path such as \/solar$/)
  })

  it("accepts a URL object", async () => {
    let requested = ""
    const fetch = async ({ url }: Request) => {
      requested = url
      return new Response("{}")
    }
    await makeClient({ baseUrl: new URL("https://example.com/solar/"), fetch }).me()
    expect(requested).toBe("https://example.com/solar/api/me")
  })

  it("is refused for a key that is no string", () => {
    expect(make({ baseUrl: "http://localhost", apiKey: Redacted.make(aKey()) })).toThrow(/^apiKey: not a key/)
  })
})
