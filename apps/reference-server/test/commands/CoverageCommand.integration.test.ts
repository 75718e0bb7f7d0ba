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
  let send: (method: string, path: string, body: unknown) => Promise<ReturnType<typeof Object>>

  const create = async (...args: ReadonlyArray<string>) => Object(await runJson(args, variables))

  beforeAll(async () => {
    variables = schemas.next()
    server = await serve(variables, "apply")
    organisation = (await create("organisations", "create", "--name", "Test")).id
    const { key } = await create("api-keys", "create", "--organisation", organisation, "--name", "Test")
    send = async (method, path, body) => {
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

  const items = () => {
    const missing = { documentType: "ppa", state: "missing", documentId: null, validUntil: null }
    const hill = { siteId: sites[0], siteName: "=Long, Meadow", portfolioId, portfolioName: "North" }
    return [{ ...hill, ...missing }]
  }

  it("prints what has expired, expires or is missing, with exit status 0 while nothing has expired", async () => {
    const all = ["coverage", "--organisation", organisation, "--expiring"]
    expect(await runJson(all, variables)).toEqual({ data: items() })
    expect(await runJson([...all, "--portfolio", portfolioId], variables)).toEqual({ data: items() })
    const { stdout: csv } = await report("--expiring", "--csv")
    expect(csv.split("\r\n")).toEqual([
      "siteId,siteName,portfolioId,portfolioName,documentType,state,documentId,validUntil",
      `${sites[0]},"'=Long, Meadow",${portfolioId},North,ppa,missing,,`,
      ""
    ])
    const { code, stdout: text } = await report("--expiring")
    expect(text).toBe(
      "STATE    VALID UNTIL  DOCUMENT TYPE  SITE           PORTFOLIO\nmissing               ppa            =Long, Meadow  North\n"
    )
    expect(code).toBe(0)
  })

  it("says so when there is nothing to print", async () => {
    const { id } = await create("organisations", "create", "--name", "Other")
    const command = ["coverage", "--organisation", id, "--expiring"]
    expect((await run(command, variables)).stdout).toMatch(/^Nothing has expired, .*\n$/)
    expect(await runJson(command, variables)).toEqual({ data: [] })
    expect((await run([...command, "--csv"], variables)).stdout).toMatch(/^siteId,.*\r\n$/)
  })

  it("prints expired documents first, with exit status 3", async () => {
    const issued = await send("POST", "/api/docs/bulk-upload-url", {
      siteId: sites[1],
      fileType: "documents",
      files: [{ filename: "a.pdf", mimeType: "application/pdf", fileSize: 3, validUntil: "2020-01-31" }]
    })
    const [{ documentId, uploadUrl }] = issued.results
    await fetch(uploadUrl.url, { method: "PUT", headers: uploadUrl.headers, body: "abc" })
    await send("PUT", `/api/docs/${documentId}`, { status: "uploaded" })
    const { code, stderr, stdout } = await report("--expiring", "--json")
    const expired = {
      ...{ siteId: sites[1], siteName: "Short Meadow", portfolioId: null, portfolioName: null },
      ...{ documentType: null, state: "expired", documentId, validUntil: "2020-01-31" }
    }
    expect([code, stderr, JSON.parse(stdout)]).toEqual([3, "", { data: [expired, ...items()] }])
    expect((await report("--expiring", "--csv")).code).toBe(3)
    expect((await report("--expiring")).code).toBe(3)
    expect((await report("--expiring", "--portfolio", portfolioId)).code).toBe(0)
    expect((await report()).code).toBe(0)
  })

  it("fails with a sentence", async () => {
    const both = await report("--csv", "--json")
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining("--json or --csv, not both")])
    const portfolio = await report("--expiring", "--portfolio", organisation)
    expect([portfolio.code, portfolio.stderr]).toEqual([1, expect.stringContaining("There is no portfolio")])
    const unknown = await run(["coverage", "--organisation", portfolioId], variables)
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("There is no organisation")])
  })
})
