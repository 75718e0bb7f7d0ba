import { randomBytes } from "node:crypto"
import { layer, PgClient } from "@solar-sites/adapter-postgres"
import { SolarSites } from "@solar-sites/core"
import { makeClient } from "@solar-sites/http-node/client"
import { MemoryAdapters } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { describe, expect, inject, it } from "vitest"
import { startBackEnd } from "./BackEnd.ts"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const url = inject("postgresUrl")

/** A schema that nobody has made yet. */
const ownSchema = () => {
  const schema = `test_${randomBytes(6).toString("hex")}`
  const database = layer({ url, schema })
  const drop = PgClient.use((client) =>
    client.run({ operation: "drop", text: `drop schema if exists ${client.schema} cascade` })
  )
  return { schema, database, drop: () => Effect.runPromise(Effect.provide(Effect.asVoid(drop), database)) }
}

/** What an operator does beside the running back end. */
const newKey = async (database: ReturnType<typeof ownSchema>["database"]): Promise<string> => {
  await using solar = SolarSites.make(Layer.merge(MemoryAdapters.layer, database))
  const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
  return (await solar.as({ organisationId, userId: "ada" }).apiKeys.create({ name: "Reporting" })).secret
}

describe.skipIf(url === "")("on a database that nobody has touched, the back end of", () => {
  it("the README makes its tables, and answers who has a key", async () => {
    const { database, drop, schema } = ownSchema()
    await using backEnd = await startBackEnd("README.md", url, schema)
    const client = makeClient({ ...backEnd, apiKey: await newKey(database) })
    await client.sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })
    expect((await client.sites.list()).data).toMatchObject([{ siteName: "Long Meadow", capacityKw: 1_200 }])
    await drop()
  })

  it("the page about embedding does so too, takes files, says when it is not ready, and ends when asked", async () => {
    const { database, drop, schema } = ownSchema()
    await using backEnd = await startBackEnd("docs/embedding.md", url, schema)
    const client = makeClient({ ...backEnd, apiKey: await newKey(database) })
    const { id: siteId } = await client.sites.create({ siteName: "Long Meadow", capacity: 1.2, unit: "MW" })
    const files = [{ filename: "plan.txt", mimeType: "text/plain", fileSize: 8 }]
    const { results } = await client.documents.issueUploads({ siteId, fileType: "documents", files })
    for (const result of results) await client.uploads.send(result, new Blob(["as built"]))
    expect((await client.documents.list({ siteId })).data).toMatchObject([{ status: "uploaded" }])

    const ready = async () => {
      const response = await fetch(`${backEnd.baseUrl}/health/ready`)
      return [response.status, JSON.parse(await response.text()).checks]
    }
    expect(await ready()).toEqual([200, { database: "up" }])
    await drop()
    // Requests within a second share one check.
    await expect.poll(ready).toEqual([503, { database: "down" }])
    expect(await backEnd.end()).toBe(0)
  })
})
