/**
 * Requests that run all the time, each with what it needs and how long it may take.
 */
import { askedIn } from "../../../apps/reference-server/test/openid/ForgingProvider.ts"
import type { Observation } from "./judge.ts"
import { publicUrl, type ServiceName } from "./Services.ts"
import { ask, askStore, type Reply, type System, type Tenant } from "./System.ts"

export interface Probe {
  readonly name: string
  readonly needs: ReadonlyArray<ServiceName>
  readonly good: ReadonlyArray<number>
  /** Documented longest duration, in milliseconds. */
  readonly boundMillis: number
  /** Between two requests. */
  readonly pauseMillis: number
  readonly send: () => Promise<Reply>
}

// `QUERY_TIMEOUT` of the key and of the operation, and the time limit of the store.
const [queryMillis, storeMillis, readyMillis, exchangeMillis] = [2_000, 1_500, 2_000, 10_000]
const apiMillis = 2 * queryMillis

export const measure = async ({ boundMillis, good, name, needs, send }: Probe): Promise<Observation> => {
  const start = performance.now()
  const { code, retryAfter, status } = await send()
  const millis = performance.now() - start
  return { probe: name, needs, boundMillis, status, code, retryAfter, isGood: good.includes(status), millis }
}

let count = 0
const next = (): number => ++count

/** A client address of its own: limits count by address. */
const anAddress = (): string => `10.${(next() >> 8) & 255}.${count & 255}.1`

const headersOf = ({ key }: Tenant) => ({ "x-api-key": key, "content-type": "application/json" })

export const call = ({ address, own }: System, line: string, body?: unknown, tenant = own): Promise<Reply> => {
  const [method = "GET", path = "/"] = line.split(" ")
  return ask(`${address}${path}`, {
    method,
    headers: headersOf(tenant),
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
}

/** Creates a site. Its name is remembered once it is acknowledged. */
export const createSite = async (system: System, tenant = system.own): Promise<Reply & { readonly name: string }> => {
  const name = `Site ${next()}`
  const reply = await call(system, "POST /api/sites", { siteName: name, capacity: 1, unit: "MW" }, tenant)
  if (reply.status === 201 && tenant === system.own) system.acknowledged.sites.add(name)
  return { ...reply, name }
}

const issue = async (system: System, siteId: string) => {
  const files = [{ filename: "note.txt", mimeType: "text/plain" }]
  const reply = await call(system, "POST /api/docs/bulk-upload-url", { siteId, fileType: "documents", files })
  const [issued] = Array.isArray(reply.json["results"]) ? reply.json["results"] : []
  return { reply, issued }
}

/** Uploads past the network. Its acknowledgement is remembered. */
const upload = async (system: System, siteId: string): Promise<Reply> => {
  const { issued, reply } = await issue(system, siteId)
  if (reply.status !== 200) return reply
  const { documentId, uploadUrl } = issued
  const content = `content of ${documentId}`
  const put = await askStore(system.services, uploadUrl.url, "PUT", uploadUrl.headers, content)
  // The store itself is disturbed; only the client would notice.
  if (put.status !== 200) return reply
  const settled = await call(system, `PUT /api/docs/${documentId}`, { status: "uploaded" })
  if (settled.status === 200) system.acknowledged.documents.set(documentId, content)
  return settled
}

const logIn = async ({ address, domain, services: { provider, variables } }: System): Promise<Reply> => {
  const headers = { "x-forwarded-for": anAddress() }
  const begun = await ask(`${address}/console/oidc/start`, { headers })
  const location = begun.headers.get("location")
  if (begun.status !== 302 || location === null) return begun
  const cookie = begun.headers
    .getSetCookie()
    .map((text) => text.split(";")[0] ?? "")
    .join("; ")
  const claims = {
    iss: variables["OIDC_ISSUER"],
    sub: "ada",
    name: "Ada",
    email: `ada@${domain}`,
    email_verified: true
  }
  const asked = askedIn(new URL(location))
  const query = new URLSearchParams({ code: provider.grant(asked, { claims }), state: asked.state })
  return ask(`${address}/console/oidc/callback?${query}`, { headers: { ...headers, cookie } })
}

const unknownEmail = "unknown@example.com"

/** Asks for the mail of a new password. */
export const requestMail = async ({ acknowledged, address }: System, email: string): Promise<Reply> => {
  const reply = await ask(`${address}/console/password-resets`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: publicUrl, "x-forwarded-for": anAddress() },
    body: JSON.stringify({ email })
  })
  if (reply.status === 202 && email !== unknownEmail) acknowledged.mails.add(email)
  return reply
}

/** `emails` are those of users who get mails; each is used once. */
export const makeProbes = async (system: System, emails: Array<string>): Promise<ReadonlyArray<Probe>> => {
  const site = await createSite(system)
  const siteId = String(site.json["id"])
  const { issued } = await issue(system, siteId)
  const { address } = system
  return [
    {
      name: "live",
      needs: [],
      good: [200],
      boundMillis: 1_000,
      pauseMillis: 50,
      send: () => ask(`${address}/health/live`)
    },
    {
      name: "ready",
      needs: ["postgres", "s3"],
      good: [200],
      boundMillis: readyMillis,
      pauseMillis: 100,
      send: () => ask(`${address}/health/ready`)
    },
    {
      name: "list",
      needs: ["postgres"],
      good: [200],
      boundMillis: apiMillis,
      pauseMillis: 20,
      send: () => call(system, "GET /api/sites?limit=20")
    },
    {
      name: "create",
      needs: ["postgres"],
      good: [201],
      boundMillis: apiMillis,
      pauseMillis: 50,
      send: () => createSite(system)
    },
    {
      name: "bystander",
      needs: ["postgres"],
      good: [201],
      boundMillis: apiMillis,
      pauseMillis: 200,
      send: () => createSite(system, system.bystander)
    },
    {
      // Nothing has been sent to this address, so the store is asked in vain.
      name: "verify",
      needs: ["postgres", "s3"],
      good: [409],
      boundMillis: apiMillis + storeMillis,
      pauseMillis: 50,
      send: () => call(system, `PUT /api/docs/${issued.documentId}`, { status: "uploaded" })
    },
    {
      name: "upload",
      needs: ["postgres", "s3"],
      good: [200],
      // Two requests, and the client's own to the store.
      boundMillis: 2 * apiMillis + 2 * storeMillis,
      pauseMillis: 300,
      send: () => upload(system, siteId)
    },
    {
      name: "login",
      needs: ["postgres", "openid"],
      good: [200],
      boundMillis: 2 * (exchangeMillis + apiMillis),
      pauseMillis: 250,
      send: () => logIn(system)
    },
    {
      name: "reset",
      needs: [],
      good: [202],
      boundMillis: 1_000,
      pauseMillis: 400,
      send: () => requestMail(system, emails.pop() ?? unknownEmail)
    }
  ]
}
