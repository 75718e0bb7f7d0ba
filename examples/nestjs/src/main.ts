/**
 * Solar Sites in a NestJS application.
 */
import "reflect-metadata"
import { NestFactory } from "@nestjs/core"
import { HostModule } from "./HostModule.ts"
import { SolarSitesMount } from "./SolarSitesModule.ts"

const port = Number(process.env["PORT"] ?? 3000)

const app = await NestFactory.create(HostModule, { logger: ["error", "warn"] })
const { listener, ready, solar } = app.get(SolarSitesMount)
await ready

// Before `listen`, which adds the body parser of Nest.
app.use("/solar", listener)
app.enableShutdownHooks([], { useProcessExit: true })

// An organisation and a key for a first request.
const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
await app.listen(port, "127.0.0.1")
console.log(`Solar Sites is at http://127.0.0.1:${port}/solar\nx-api-key: ${secret}`)
