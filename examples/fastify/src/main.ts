/**
 * Solar Sites in a Fastify application.
 */
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import Fastify from "fastify"

const port = Number(process.env["PORT"] ?? 3000)

const solar = SolarSites.make(MemoryAdapters.layer)
const { listener, ready } = toNodeListener(solar, { prefix: "/solar" })
await ready

const app = Fastify()
app.all("/solar/*", {
  // Runs before Fastify reads the body; hijack leaves the answer to the listener.
  onRequest: async (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  },
  handler: () => {}
})
app.get("/hello", () => "Hello from the host.")

// An organisation and a key for a first request.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
const address = await app.listen({ port, host: "127.0.0.1" })
console.log(`Solar Sites is at ${address}/solar\nx-api-key: ${secret}`)

// No new connections; requests end, then the adapters.
const stop = () => Promise.all([app.close(), solar.close()])
process.once("SIGTERM", stop).once("SIGINT", stop)
