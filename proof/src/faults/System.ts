/**
 * A server process with all its dependencies, and a record of what it has acknowledged.
 */
import { writeFile } from "node:fs/promises"
import { request } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PgClient } from "@solar-sites/adapter-postgres"
import type { OrganisationId } from "@solar-sites/core"
import { Effect, Redacted } from "effect"
import { useBundle } from "../../../apps/reference-server/test/bundle.globalSetup.ts"
import { operator } from "../../../apps/reference-server/test/Operator.ts"
import { type Server, serve, stop, temporaryFolder } from "../../../apps/reference-server/test/SolarSitesProcess.ts"
import { freePort } from "../../../scripts/freePort.ts"
import { type Services, startServices } from "./Services.ts"

/** A response, or status 0 with the reason for none in `code`. */
export interface Reply {
  readonly status: number
  readonly code: string | undefined
  readonly retryAfter: string | null
  readonly headers: Headers
  readonly json: Readonly<Record<string, unknown>>
}

const patienceMillis = 40_000
const preload = fileURLToPath(new URL("./clockShift.ts", import.meta.url))
// Longer than a round of the long form takes.
const longestLifeMillis = 3_600_000

const noReply = (cause: unknown): Reply => {
  const isHang = cause instanceof Error && cause.name === "TimeoutError"
  const reason = Reflect.get(Object(Reflect.get(Object(cause), "cause")), "code")
  return {
    status: 0,
    code: isHang ? "hang" : String(reason ?? cause),
    retryAfter: null,
    headers: new Headers(),
    json: {}
  }
}

/** A failed login at a provider has no problem document: it leads to a page. */
const codeOf = (text: string, json: Readonly<Record<string, unknown>>, headers: Headers): string | undefined =>
  typeof json["code"] === "string" ? json["code"] : /problem=(oidc_\w+)/.exec(text + headers.get("location"))?.[1]

/** Never rejects. */
export const ask = async (url: string, init: RequestInit = {}): Promise<Reply> => {
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(patienceMillis), ...init })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get("content-type") ?? "")
    const json = isJson ? Object(JSON.parse(text)) : {}
    const { headers, status } = response
    return { status, code: codeOf(text, json, headers), retryAfter: headers.get("retry-after"), headers, json }
  } catch (cause) {
    return noReply(cause)
  }
}

/** Sends a request to the store past its network; the signature covers the `host` of the network. */
export const askStore = (
  { storePort }: Services,
  address: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body = ""
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve) => {
    const { host, pathname, search } = new URL(address)
    const failed = () => resolve({ status: 0, body: "" })
    const options = { port: storePort, host: "127.0.0.1", path: `${pathname}${search}`, method, timeout: 1_500 }
    const sent = request({ ...options, headers: { ...headers, host } }, async (response) => {
      let text = ""
      response.once("error", failed)
      for await (const chunk of response.setEncoding("utf8")) text += chunk
      resolve({ status: response.statusCode ?? 0, body: text })
    })
    sent.once("timeout", () => sent.destroy())
    sent.once("error", failed)
    sent.end(body)
  })

export interface Tenant {
  readonly organisationId: OrganisationId
  readonly key: string
}

export type System = Awaited<ReturnType<typeof startSystem>>

const schema = "faults"

export const startSystem = async () => {
  await useBundle()
  const services = await startServices()
  const folder = await temporaryFolder()
  const clockFile = join(folder.path, "clock")
  const direct = { DATABASE_URL: services.databaseUrl, DATABASE_SCHEMA: schema }
  const by = operator(direct, "apply")
  const port = await freePort()
  const variables = {
    ...services.variables,
    DATABASE_SCHEMA: schema,
    DATA_DIR: folder.path,
    PORT: String(port),
    CONSOLE: "true",
    QUERY_TIMEOUT: "2s",
    // Limits are on, since a fault may break them too, and far above the load.
    RATE_LIMIT_PER_MINUTE: "60000",
    TRUSTED_PROXIES: "127.0.0.1",
    WEBHOOK_ALLOW_PRIVATE: "true",
    LOG_LEVEL: "warn",
    NODE_OPTIONS: `--import=${preload}`,
    CLOCK_SHIFT_FILE: clockFile
  }
  let isKilled = true
  let crash: string | undefined
  /** As a supervisor does: a server ends if its database does not answer its start within `QUERY_TIMEOUT`. */
  const launch = async (attempts = 5): Promise<Server> => {
    const launched = await serve(variables, [], longestLifeMillis).catch((cause: unknown) => {
      if (attempts === 1 || !String(cause).includes("database cannot be used")) throw cause
    })
    if (launched === undefined) return launch(attempts - 1)
    isKilled = false
    void launched.finished.then(({ code, signal, stderr }) => {
      if (!isKilled) crash = `${code ?? signal}: ${stderr.slice(-2_000)}`
    })
    return launched
  }
  const newTenant = async (): Promise<Tenant> => {
    const organisationId = await by.createOrganisation()
    return { organisationId, key: (await by.createKey(organisationId)).key }
  }
  const own = await newTenant()
  const bystander = await newTenant()
  const domain = "faults.example.com"
  // Users of a provider can only be created beside an owner.
  await by.createUser(own.organisationId)
  await by.setLoginDomains(own.organisationId, domain)
  let server = await launch()
  const kill = async () => {
    isKilled = true
    server.kill("SIGKILL")
    await server.finished
  }
  return {
    services,
    address: `http://127.0.0.1:${port}`,
    ...{ own, bystander, domain },
    /** Names of created sites, contents of uploaded documents by id, addresses of requested mails. */
    acknowledged: { sites: new Set<string>(), documents: new Map<string, string>(), mails: new Set<string>() },
    server: () => server,
    /** Undefined while the server runs, or after `kill`. */
    crash: () => crash,
    kill,
    restart: async () => {
      server = await launch()
    },
    shiftClock: async (millis: number) => {
      await writeFile(clockFile, String(millis))
      server.kill("SIGUSR2")
    },
    newUser: () => by.createUser(own.organisationId),
    /** Makes all pending webhook deliveries due. */
    retryDeliveries: () =>
      PgClient.use(({ run }) =>
        run({
          operation: "retry",
          text: `update ${schema}.webhook_delivery set next_attempt_at = now() where status = 'pending'`
        })
      ).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(services.databaseUrl), schema })), Effect.runPromise),
    stop: async () => {
      isKilled = true
      await stop(server)
      await by.close()
      await services.stop()
      await folder[Symbol.asyncDispose]()
    }
  }
}
