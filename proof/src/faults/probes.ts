/**
 * Requests that run all the time, each with what it needs and how long it may take.
 */
import { askedIn } from "../../../apps/reference-server/test/accounts/identity/ForgingProvider.ts"
import type { Observation } from "./judge.ts"
import { publicUrl, type ServiceName } from "./Services.ts"
import { ask, askStore, type Reply, type System, type Tenant } from "./System.ts"

export interface Probe {
  readonly name: string
  readonly needs: ReadonlyArray<ServiceName>
  readonly good: number
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
  return { probe: name, needs, boundMillis, status, code, retryAfter, isGood: status === good, millis }
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

export const requestMail = async ({ acknowledged, address }: System, email: string): Promise<Reply> => {
  const reply = await ask(`${address}/console/password-resets`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: publicUrl, "x-forwarded-for": anAddress() },
    body: JSON.stringify({ email })
  })
  if (reply.status === 202 && email !== unknownEmail) acknowledged.mails.add(email)
  return reply
}

type Row = readonly [
  name: string,
  needs: Probe["needs"],
  good: number,
  boundMillis: number,
  pauseMillis: number,
  send: Probe["send"]
]

/** `emails` are those of users who get mails; each is used once. */
export const makeProbes = async (system: System, emails: Array<string>): Promise<ReadonlyArray<Probe>> => {
  const site = await createSite(system)
  const siteId = String(site.json["id"])
  const { issued } = await issue(system, siteId)
  const { address } = system
  // Nothing has been sent to the address of `verify`, so the store is asked in vain. An upload has two requests to
  // the server, and the client's own to the store.
  const probes: ReadonlyArray<Row> = [
    ["live", [], 200, 1_000, 50, () => ask(`${address}/health/live`)],
    ["ready", ["postgres", "s3"], 200, readyMillis, 100, () => ask(`${address}/health/ready`)],
    ["list", ["postgres"], 200, apiMillis, 20, () => call(system, "GET /api/sites?limit=20")],
    ["create", ["postgres"], 201, apiMillis, 50, () => createSite(system)],
    ["bystander", ["postgres"], 201, apiMillis, 200, () => createSite(system, system.bystander)],
    [
      "verify",
      ["postgres", "s3"],
      409,
      apiMillis + storeMillis,
      50,
      () => call(system, `PUT /api/docs/${issued.documentId}`, { status: "uploaded" })
    ],
    ["upload", ["postgres", "s3"], 200, 2 * apiMillis + 2 * storeMillis, 300, () => upload(system, siteId)],
    ["login", ["postgres", "openid"], 200, 2 * (exchangeMillis + apiMillis), 250, () => logIn(system)],
    ["reset", [], 202, 1_000, 400, () => requestMail(system, emails.pop() ?? unknownEmail)]
  ]
  return probes.map(([name, needs, good, boundMillis, pauseMillis, send]) => ({
    ...{ name, needs, good, boundMillis, pauseMillis, send }
  }))
}
