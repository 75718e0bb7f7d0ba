/** A server that users log in to at a forging provider, on a schema of its own. */
import { randomBytes } from "node:crypto"
import { type Browser, browserOf, type Received } from "../../console/Browser.ts"
import { ownSchemas } from "../../ExternalDatabase.ts"
import { operator, quickHashes } from "../../Operator.ts"
import { type ServerInProcess, serve } from "../../ServerInProcess.ts"
import { temporaryFolder, type Variables } from "../../SolarSitesProcess.ts"
import {
  type Asked,
  askedIn,
  clientId,
  clientSecret,
  forgingProvider,
  type Grant,
  publicUrl
} from "./ForgingProvider.ts"

/** The problem that the login page is told, the problem's code, or the status. */
export const outcomeOf = ({ headers, outcome, text }: Received): string | number =>
  /^\/login\?problem=(\w+)$/.exec(headers.get("location") ?? "")?.[1] ??
  /\/login\?problem=(\w+)/.exec(text)?.[1] ??
  outcome

type Start = (variables: Variables) => Promise<Pick<ServerInProcess, "address" | "stop">>

/** `variables` are added to those that connect the server to the provider. It runs in process by default. */
export const openIdSetup = async (variables: Variables = {}, start: Start = serve) => {
  const provider = await forgingProvider()
  const schemas = ownSchemas()
  const folder = await temporaryFolder()
  const database = { ...schemas.next(), DATA_DIR: folder.path }
  const people = operator(database, "apply", quickHashes)
  const organisationId = await people.createOrganisation()
  const domain = `${randomBytes(6).toString("hex")}.example.com`
  const owner = await people.createUser(organisationId, "Olga")
  await people.setLoginDomains(organisationId, domain)
  const server = await start({
    ...database,
    CONSOLE: "true",
    RATE_LIMIT_PER_MINUTE: "0",
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    ...variables
  })
  const visitor = () => browserOf(server.address, publicUrl)

  const begin = async (browser: Browser, returnTo = "/sites"): Promise<Asked> => {
    const received = await browser.send(`GET /console/oidc/start?${new URLSearchParams({ returnTo })}`)
    return askedIn(new URL(received.headers.get("location") ?? ""))
  }
  const finish = (browser: Browser, query: Readonly<Record<string, string>>) =>
    browser.send(`GET /console/oidc/callback?${new URLSearchParams(query)}`)

  return {
    provider,
    people,
    organisationId,
    domain,
    owner,
    visitor,
    begin,
    finish,
    /** Claims of a user with a verified address, by default of the organisation's domain. */
    claimsOf: (name: string, host = domain) => ({
      sub: `${name}-${domain}`,
      name,
      email: `${name.toLowerCase()}@${host}`,
      email_verified: true
    }),
    /** A whole login. */
    logIn: async (grant: Grant, browser = visitor(), returnTo?: string): Promise<Received> => {
      const asked = await begin(browser, returnTo)
      return finish(browser, { code: provider.grant(asked, grant), state: asked.state })
    },
    close: async () => {
      await server.stop()
      await people.close()
      await provider.close()
      await schemas.drop()
      await folder[Symbol.asyncDispose]()
    }
  }
}

export type OpenIdSetup = Awaited<ReturnType<typeof openIdSetup>>
