/**
 * Solar Sites in a NestJS application, beside its own controllers.
 */
import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import { HostModule } from "./HostModule.ts"
import { SolarSitesMount } from "./SolarSitesModule.ts"

const port = Number(process.env["PORT"] ?? 3000)

const app = await NestFactory.create(HostModule, { logger: ["error", "warn"] })
const { listener, ready, solar } = app.get(SolarSitesMount)
await ready

// Before `listen`, where Nest adds its body parser: the bodies are ours to read.
app.use("/solar", listener)
app.enableShutdownHooks([], { useProcessExit: true })

// An organisation and a key to try it with.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
await app.listen(port, "127.0.0.1")
console.log(`Solar Sites is at http://127.0.0.1:${port}/solar\nx-api-key: ${secret}`)
