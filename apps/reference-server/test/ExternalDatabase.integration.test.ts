import { afterAll, describe, expect, it } from "vitest"
import { run, runJson } from "./CommandInProcess.ts"
import { ownSchemas, postgresUrl, withoutPostgres } from "./ExternalDatabase.ts"
import { type ServerInProcess, serve as serveInProcess } from "./ServerInProcess.ts"
import { run as runProcess, serve, stop } from "./SolarSitesProcess.ts"

const someId = "0190a5c0-0000-7000-8000-000000000000"

const schemas = ownSchemas()

describe.skipIf(withoutPostgres)("an external database", () => {
  afterAll(() => schemas.drop())

  it("is refused until it is migrated; the error names the command", async () => {
    const variables = schemas.next()
    for (const [runCommand, ...command] of [
      [runProcess, "serve"],
      [run, "organisations", "list", "--json"],
      [run, "api-keys", "delete", someId, "--json"]
    ] as const) {
      const { code, stderr, stdout } = await runCommand(command, { PORT: "0", ...variables })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toMatch(/^[^\n]+ solar-sites migrate [^\n]+\.\n$/)
    }
  })

  it("is migrated by a command, which can print the SQL first", async () => {
    const variables = schemas.next()
    const { stdout } = await run(["migrate", "--print"], variables)
    expect(stdout).toMatch(/create table/i)
    expect(stdout).toContain(`"${variables.DATABASE_SCHEMA}"`)
    expect(await runJson(["migrate", "--print"], variables)).toEqual({ applied: [], sql: stdout.slice(0, -1) })
    expect(await runJson(["migrate"], variables)).toEqual({
      applied: expect.arrayContaining([expect.any(String)])
    })
    expect(await runJson(["migrate"], variables)).toEqual({ applied: [] })
    expect((await run(["migrate", "--print"], variables)).stdout).toBe("-- The schema is up to date.\n")
    expect(await runJson(["organisations", "list"], variables)).toEqual({ data: [] })
  })

  it("is migrated by the server with --migrate, and gets no demo data", async () => {
    const variables = schemas.next()
    const first = await serve(variables, ["--migrate"])
    const stdout = expect.stringMatching(/^Solar Sites listens on \S+\nAPI reference: \S+\n$/)
    expect(await stop(first)).toMatchObject({ code: 0, stdout })
    await (await serveInProcess(variables)).stop()
    expect(await runJson(["organisations", "list"], variables)).toEqual({ data: [] })
  })

  it("is shared by two servers that start and migrate it at once", async () => {
    const variables = schemas.next()
    const servers = await Promise.all([serveInProcess(variables, "apply"), serveInProcess(variables, "apply")])
    const { id } = Object(await runJson(["organisations", "create", "--name", "Both"], variables))
    const { key } = Object(await runJson(["api-keys", "create", "--organisation", id, "--name", "Both"], variables))
    const sites = ({ address }: ServerInProcess, init: RequestInit = {}) =>
      fetch(`${address}/api/sites`, { ...init, headers: { "x-api-key": key, "content-type": "application/json" } })
    const [one, other] = servers
    const created = await sites(one, { method: "POST", body: '{"siteName":"Shared","capacity":3,"unit":"MWp"}' })
    expect(created.status).toBe(201)
    const site = await created.json()
    expect(Object(await (await sites(other)).json()).data).toEqual([site])
    // A version of no resource, also above the integers of Postgres.
    const headers = { "x-api-key": key, "content-type": "application/json", "if-match": '"3000000000"' }
    for (const init of [{ method: "PUT", body: "{}" }, { method: "DELETE" }]) {
      const stale = await fetch(`${one.address}/api/sites/${Object(site).id}`, { ...init, headers })
      expect([stale.status, Object(await stale.json()).code]).toEqual([412, "precondition_failed"])
    }
    const { port } = new URL(one.address)
    expect(await runProcess(["serve"], { ...variables, PORT: port })).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr: `Port ${port} of 127.0.0.1 is in use by another process; set PORT to another one, or to 0 for a free one.\n`
    })
    await Promise.all(servers.map((server) => server.stop()))
  })

  it("is named without its password when the connection fails", async () => {
    const unreachable = new URL(postgresUrl)
    unreachable.port = "1"
    unreachable.password = "hidden-password"
    const several = unreachable.href.replace(":1/", ":1,127.0.0.1:2/")
    for (const [url, ...command] of [
      [unreachable.href, "serve"],
      [unreachable.href, "organisations", "list", "--json"],
      [several, "migrate"]
    ] as const) {
      const { code, stderr, stdout } = await run(command, { PORT: "0", DATABASE_URL: url })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toMatch(/^The database [^\n]+ECONNREFUSED[^\n]+\.\n$/)
      expect(stderr).not.toContain("hidden-password")
    }
  })

  it("stops the start when its password is wrong", async () => {
    const wrong = new URL(postgresUrl)
    wrong.username = "nobody-we-know"
    const { code, stderr } = await run(["migrate", "--json"], { DATABASE_URL: wrong.href })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The database [^\n]+\.\n$/)
  })
})
