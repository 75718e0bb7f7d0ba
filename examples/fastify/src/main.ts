/**
 * Solar Sites in a Fastify application, beside its own routes.
 */
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"
import Fastify from "fastify"

const port = Number(process.env["PORT"] ?? 3000)

const solar = SolarSites.make(MemoryAdapters.layer)
const { close, listener, ready } = toNodeListener(solar.layer, { prefix: "/solar" })
await ready

const app = Fastify()
app.all("/solar/*", {
  // Before Fastify reads the body: from here on the answer is ours.
  onRequest: async (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  },
  handler: () => {}
})
app.get("/hello", () => "Hello from the host.")

// An organisation and a key to try it with.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
const address = await app.listen({ port, host: "127.0.0.1" })
console.log(`Solar Sites is at ${address}/solar\nx-api-key: ${secret}`)

// No new connections; what is under way ends, the host's own too; then what lies below is closed.
const stop = async () => {
  await Promise.all([app.close(), close()])
  await solar.dispose()
}
process.once("SIGTERM", stop).once("SIGINT", stop)
