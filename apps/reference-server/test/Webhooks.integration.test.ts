import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PgClient } from "@solar-sites/adapter-postgres"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { clientOf } from "./Client.ts"
import { ownSchemas, withoutPostgres } from "./ExternalDatabase.ts"
import { operator } from "./Operator.ts"
import { type Server, serve, stop } from "./SolarSitesProcess.ts"

/** A receiver. It answers 204, or nothing while it hangs. */
const receiver = async () => {
  const received: Array<{ readonly id: string; readonly type: string; readonly signature: string }> = []
  let hangs = false
  const server: HttpServer = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const signature = String(request.headers["webhook-signature"])
    received.push({ id: String(request.headers["webhook-id"]), type: JSON.parse(body).type, signature })
    if (!hangs) response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // It listens on a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    received,
    hang: (value: boolean) => {
      hangs = value
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

const schemas = ownSchemas()
const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 120_000, interval: 50 })

describe.skipIf(withoutPostgres)("webhooks of two servers on one database", () => {
  let variables: ReturnType<typeof schemas.next> & { readonly WEBHOOK_ALLOW_PRIVATE: string }
  let servers: ReadonlyArray<Server>
  let apiKey: string
  let target: Awaited<ReturnType<typeof receiver>>

  beforeAll(async () => {
    variables = { ...schemas.next(), WEBHOOK_ALLOW_PRIVATE: "true" }
    servers = [await serve(variables, ["--migrate"]), await serve(variables)]
    const by = operator(variables)
    apiKey = (await by.createKey(await by.createOrganisation())).key
    await by.close()
    target = await receiver()
  })

  afterAll(async () => {
    for (const server of servers) await stop(server)
    target.close()
    await schemas.drop()
  })

  /** Ends all claims, as time does. */
  const endClaims = () =>
    PgClient.use(({ run, schema }) =>
      run({
        operation: "end",
        text: `update ${schema}.webhook_delivery set next_attempt_at = now() where status = 'pending'`
      })
    ).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(variables.DATABASE_URL), schema: variables.DATABASE_SCHEMA })),
      Effect.runPromise
    )

  it("receive each event once", async () => {
    while (servers.length < 2) servers = [...servers, await serve(variables)]
    target.received.length = 0
    const [first, second] = servers.map(({ address }) => clientOf(address, apiKey))
    if (first === undefined || second === undefined) throw new Error("two servers")
    const created = await first.call("POST", "/api/webhooks", { url: target.url, events: ["site.*"] })
    expect(created).toMatchObject({ status: 201, body: { enabled: true, secret: expect.stringMatching(/^whsec_/) } })
    await Promise.all(Array.from({ length: 10 }, () => [first.createSite(), second.createSite()]).flat())
    const path = `/api/webhooks/${created.body.id}/deliveries`
    await until(async () => {
      const { data } = (await first.call("GET", path)).body
      expect(data.filter(({ status }: { status: string }) => status === "delivered")).toHaveLength(20)
    })
    expect(target.received).toHaveLength(20)
    expect(new Set(target.received.map(({ id }) => id)).size).toBe(20)
    expect((await second.call("DELETE", `/api/webhooks/${created.body.id}`)).status).toBe(204)
  })

  it("deliver what a killed server was about to deliver", async () => {
    const [killed, other] = servers
    if (killed === undefined || other === undefined) throw new Error("two servers")
    const client = clientOf(other.address, apiKey)
    const created = await client.call("POST", "/api/webhooks", { url: target.url, events: ["site.created"] })
    target.hang(true)
    target.received.length = 0
    await client.createSite()
    await until(() => expect(target.received).toHaveLength(1))
    for (const server of servers) server.kill("SIGKILL")
    await Promise.all(servers.map(({ finished }) => finished))
    target.hang(false)
    servers = [await serve(variables)]
    await endClaims()
    await until(() => expect(target.received.length).toBeGreaterThan(1))
    const [lost, delivered] = target.received
    expect(delivered?.id).toBe(lost?.id)
    const again = clientOf(servers[0]?.address ?? "", apiKey)
    await until(async () => {
      const { data } = (await again.call("GET", `/api/webhooks/${created.body.id}/deliveries`)).body
      expect(data).toMatchObject([{ status: "delivered", attempt: 1, responseStatus: 204 }])
    })
    expect((await again.call("DELETE", `/api/webhooks/${created.body.id}`)).status).toBe(204)
  })
})
