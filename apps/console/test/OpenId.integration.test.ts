import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freePort } from "../../../scripts/freePort.ts"
import { executablePath, patience, sharedBrowser } from "./Browser.ts"
import { client, openIdProvider } from "./OpenIdProvider.ts"
import { providerDomain } from "./PreparedData.ts"
import { type Server, startServer } from "./Server.ts"

describe.skipIf(executablePath === "")("a login by OpenID Connect in the browser", () => {
  const closing = new AsyncDisposableStack()
  let server: Server
  let browser: Browser

  beforeAll(async () => {
    // The provider needs the address before the server listens.
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const provider = closing.use(await openIdProvider(`${origin}/console/oidc/callback`, providerDomain))
    const variables = {
      PORT: String(port),
      PUBLIC_URL: origin,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret
    }
    ;[server, browser] = await Promise.all([startServer(variables), sharedBrowser()])
    closing.use(server)
  })

  afterAll(() => closing.disposeAsync())

  it("comes back from another site with a session, to the page that was asked for", async () => {
    const context = await browser.newContext({ baseURL: server.origin })
    context.setDefaultTimeout(patience)
    closing.defer(() => context.close())
    const page = await context.newPage()
    await page.goto("/portfolios")
    await page.getByRole("link", { name: "Log in with your organisation" }).click()
    await page.waitForURL(/^http:\/\/localhost/)
    await page.locator("[name=login]").fill("ada")
    await page.locator("[name=password]").fill("any")
    await page.locator("button[type=submit]").click()
    const returning = page.waitForRequest(`${server.origin}/portfolios`)
    await page.locator("button[type=submit]", { hasText: "Continue" }).click()
    // With a redirect, the browser would leave the cookie out.
    expect((await (await returning).allHeaders())["cookie"]).toMatch(/solar_session=[\w-]{43}/)
    await page.waitForURL(`${server.origin}/portfolios`)
    await page.getByRole("banner").waitFor()
    const session = await page.evaluate(async () => (await fetch("/console/session")).json())
    expect(session.user).toMatchObject({ email: `ada@${providerDomain}`, name: "ada", role: "viewer" })
  })
})
