import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run as runInProcess, runJson } from "./CommandInProcess.ts"
import { copyTo, type FirstStart, prepared } from "./Prepared.ts"
import { run, type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const key = /sk_live_[\w-]{48}/

describe("an embedded database", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let first: FirstStart

  const copyOfPrepared = (name: string) => copyTo(join(folder.path, name))

  const siteNames = async ({ address }: Server) => {
    const response = await fetch(`${address}/api/sites`, { headers: { "x-api-key": first.apiKey } })
    expect(response.status).toBe(200)
    const { data }: { data: ReadonlyArray<{ siteName: string }> } = JSON.parse(await response.text())
    return data.map(({ siteName }) => siteName)
  }

  const createSite = (server: Server, siteName: string) =>
    fetch(`${server.address}/api/sites`, {
      method: "POST",
      headers: { "x-api-key": first.apiKey, "content-type": "application/json" },
      body: JSON.stringify({ siteName, capacity: 1, unit: "MW" })
    })

  beforeAll(async () => {
    folder = await temporaryFolder()
    first = await prepared()
  })

  afterAll(() => folder[Symbol.asyncDispose]())

  it("is created at the first start, which prints a key and a command that creates a site", () => {
    expect(first.created.status).toBe(201)
    expect(first.created.body).toMatchObject({ siteName: "Long Meadow", capacity: 48.6, unit: "kWp", version: 1 })
    expect(first.stdout.match(key)?.[0]).toBe(first.apiKey)
    expect(first.stdout).toMatch(
      /^Solar Sites listens on (http:\/\/127\.0\.0\.1:\d+)\nConsole: \1\nAPI reference: \1\/docs\n/
    )
  })

  it("keeps the key out of the logs, which have one JSON line per request", () => {
    expect(first.stderr).not.toMatch(key)
    const lines = first.stderr.trim().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toHaveLength(lines.length)
    expect(first.stderr).toContain("/api/sites")
  })

  it("keeps acknowledged writes when the process is killed", async () => {
    const variables = await copyOfPrepared("killed")
    const killed = await serve(variables)
    const names = Array.from({ length: 20 }, (_, index) => `Site ${index}`)
    await Promise.all(names.map(async (name) => expect((await createSite(killed, name)).status).toBe(201)))
    killed.kill("SIGKILL")
    expect((await killed.finished).signal).toBe("SIGKILL")
    const restarted = await serve(variables)
    expect((await siteNames(restarted)).toSorted()).toEqual(["Long Meadow", ...names].toSorted())
    expect((await stop(restarted)).code).toBe(0)
  })

  it("keeps its data over a restart, which prints no key, and is locked for other processes", async () => {
    const variables = await copyOfPrepared("held")
    const server = await serve(variables)
    for (const [runCommand, ...command] of [
      [run, "serve"],
      [runInProcess, "organisations", "list", "--json"],
      [runInProcess, "migrate", "--json"]
    ] as const) {
      const { code, stderr, stdout } = await runCommand(command, { PORT: "0", ...variables })
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
      expect(stderr).toMatch(/^[^\n]+\.\n$/)
      expect(stderr).toContain(`process with id ${server.pid}`)
      expect(stderr).toContain(variables.DATA_DIR)
      expect(stderr).toMatch(
        /Stop it first, or set DATA_DIR to another folder; .* in the console of a running server\.\n$/
      )
    }
    expect(await siteNames(server)).toEqual(["Long Meadow"])
    const { code, stdout } = await stop(server)
    const lines = [`Solar Sites listens on ${server.address}`, `API reference: ${server.address}/docs`]
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${lines.join("\n")}\n` })
  })

  it("serves commands while no server runs", async () => {
    const variables = await copyOfPrepared("commands")
    const organisations = await runJson(["organisations", "list"], variables)
    expect(organisations).toEqual({ data: [{ id: expect.any(String), name: "Demo organisation", status: "active" }] })
    expect(await runJson(["migrate"], variables)).toEqual({ applied: [] })
    const { stdout } = await runInProcess(["organisations", "list"], variables)
    expect(stdout).toMatch(/^ID +NAME +STATUS\n[0-9a-f-]{36} {2}Demo organisation {2}active\n$/)
  })
})
