import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { copyTo, prepared } from "../Prepared.ts"
import { type Server, serve, stop, temporaryFolder } from "../SolarSitesProcess.ts"
import { type Browser, browserOf } from "./Browser.ts"

describe("a server after its first start", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let server: Server
  let demo: { readonly email: string; readonly password: string }
  let browser: Browser

  beforeAll(async () => {
    const { stdout } = await prepared()
    const [, email = "", password = ""] = /^Log in at \S+ as (\S+) .*\n\n {2}(\S+)\n/m.exec(stdout) ?? []
    demo = { email, password }
    folder = await temporaryFolder()
    server = await serve({ ...(await copyTo(join(folder.path, "data"))), CONSOLE: "true" })
    browser = browserOf(server.address)
  })

  afterAll(async () => {
    await stop(server)
    await folder[Symbol.asyncDispose]()
  })

  it("lets the demo user log in with the printed password", async () => {
    const { json } = await browser.logIn(demo)
    expect(json).toMatchObject({
      user: { email: demo.email, name: "Demo user" },
      organisation: { name: "Demo organisation" }
    })
  })

  it("logs requests of the console with the user, and never a cookie, a password, a key or a query", async () => {
    const { json } = await browser.logIn(demo)
    const key = await browser.send("POST /console/api-keys", { body: { name: "Reporting" } })
    expect(key.status).toBe(201)
    const requestId = crypto.randomUUID()
    await browser.send("GET /console/api/sites?limit=1", { headers: { "x-request-id": requestId } })
    const line = await vi.waitFor(
      () => {
        const written = server
          .logged()
          .split("\n")
          .filter((text) => text.includes(requestId))
        expect(written).toHaveLength(1)
        return JSON.parse(written[0] ?? "")
      },
      { timeout: 100_000 }
    )
    expect(line.annotations).toMatchObject({
      route: "/console/api/sites",
      status: 200,
      organisationId: Object(json["organisation"]).id,
      userId: Object(json["user"]).id,
      apiKeyId: null,
      keyPrefix: null
    })
    const metrics = await (await fetch(`${server.address}/metrics`)).text()
    expect(metrics).toContain('route="/console/api/sites"')
    const secrets = [browser.cookie().split("=")[1], demo.password, demo.email, String(key.json["key"]), "limit=1"]
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(6)
      expect(`${server.logged()}${metrics}`).not.toContain(secret)
    }
  })
})
