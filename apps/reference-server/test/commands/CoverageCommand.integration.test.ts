import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run, runJson } from "../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { type ServerInProcess, serve } from "../ServerInProcess.ts"
import type { Variables } from "../SolarSitesProcess.ts"

const schemas = ownSchemas()

describe.skipIf(withoutPostgres)("solar-sites coverage", () => {
  let variables: Variables
  let server: ServerInProcess
  let organisation: string
  const sites: Array<string> = []
  let portfolioId: string

  const create = async (...args: ReadonlyArray<string>) => Object(await runJson(args, variables))

  beforeAll(async () => {
    variables = schemas.next()
    server = await serve(variables, "apply")
    organisation = (await create("organisations", "create", "--name", "Test")).id
    const { key } = await create("api-keys", "create", "--organisation", organisation, "--name", "Test")
    const send = async (method: string, path: string, body: unknown) => {
      const headers = { "x-api-key": key, "content-type": "application/json" }
      const response = await fetch(`${server.address}${path}`, { method, headers, body: JSON.stringify(body) })
      return Object(await response.json())
    }
    portfolioId = (await send("POST", "/api/portfolios", [{ name: "North" }])).data[0].id
    for (const site of [{ siteName: "=Long, Meadow", portfolioId }, { siteName: "Short Meadow" }]) {
      sites.push((await send("POST", "/api/sites", { ...site, capacity: 1, unit: "kW" })).id)
    }
    await send("PUT", "/api/document-requirements", { requirements: [{ documentType: "ppa", portfolioId }] })
  })

  afterAll(async () => {
    await server.stop()
    await schemas.drop()
  })

  const report = (...args: ReadonlyArray<string>) =>
    run(["coverage", "--organisation", organisation, ...args], variables)

  it("prints one JSON document", async () => {
    const item = { documentType: "ppa", state: "missing", documentId: null, validUntil: null }
    const [first, second] = [
      { siteId: sites[0], siteName: "=Long, Meadow", portfolioId, complete: false, items: [item] },
      { siteId: sites[1], siteName: "Short Meadow", portfolioId: null, complete: true, items: [] }
    ]
    const all = ["coverage", "--organisation", organisation]
    expect(await runJson(all, variables)).toEqual({ data: [first, second] })
    expect(await runJson([...all, "--portfolio", portfolioId], variables)).toEqual({ data: [first] })
    expect(await runJson([...all, "--portfolio", organisation], variables)).toEqual({ data: [] })
  })

  it("prints CSV or a table", async () => {
    const { stdout: csv } = await run(["coverage", "--organisation", organisation, "--csv"], variables)
    expect(csv.split("\r\n")).toEqual([
      "siteId,siteName,portfolioId,complete,documentType,state,documentId,validUntil",
      `${sites[0]},"'=Long, Meadow",${portfolioId},false,ppa,missing,,`,
      `${sites[1]},Short Meadow,,true,,,,`,
      ""
    ])
    const { stdout: text } = await report()
    expect(text).toMatch(/^SITE +DOCUMENT TYPE +STATE +VALID UNTIL\n=Long, Meadow +ppa +missing\nShort Meadow\n$/)
  })

  it("fails with a sentence", async () => {
    const both = await report("--csv", "--json")
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining("--json or --csv, not both")])
    const unknown = await run(["coverage", "--organisation", portfolioId], variables)
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("There is no organisation")])
  })
})
