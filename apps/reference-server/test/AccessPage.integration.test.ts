import { expect, it } from "vitest"
import { blocksOf, readPage } from "../../../scripts/blocks.ts"
import { anyDatabase } from "./AnyDatabase.ts"
import { clientOf } from "./Client.ts"
import { withoutPostgres } from "./ExternalDatabase.ts"
import { runShell } from "./Readme.ts"
import { serve } from "./ServerInProcess.ts"
import { temporaryFolder } from "./SolarSitesProcess.ts"

const commands = blocksOf("docs/access.md", readPage("docs/access.md"))
  .filter(({ unrun }) => unrun === "AccessPage.integration.test.ts runs it")
  .map(({ code }) => code)

// A command and a server cannot share an embedded database.
it.skipIf(withoutPostgres)(
  "the set-ups of the page about access give what they promise",
  async ({ onTestFinished }) => {
    const folder = await temporaryFolder()
    const database = await anyDatabase(folder.path)
    const server = await serve(database.variables)
    onTestFinished(async () => {
      await server.stop()
      await database.drop()
      await folder[Symbol.asyncDispose]()
    })
    const { call } = clientOf(server.address, database.apiKey)
    const { organisation } = (await call("GET", "/api/me")).body
    const names = ["North", "South", "West"].map((name) => ({ name }))
    const [north, south, west] = (await call("POST", "/api/portfolios", { portfolios: names })).body.data
    const site = { siteName: "Long Meadow", capacity: 1, unit: "MW" }
    const siteIn = async ({ id }: { readonly id: string }) =>
      (await call("POST", "/api/sites", { ...site, portfolioId: id })).body.id
    const [inNorth, , inWest] = [await siteIn(north), await siteIn(south), await siteIn(west)]
    await call("PUT", "/api/document-requirements", { requirements: [{ documentType: "insurance" }] })

    const variables = {
      ...(await database.beside()),
      SOLAR: server.address,
      ORGANISATION: organisation.id,
      NORTH: north.id,
      SOUTH: south.id,
      SITE: inNorth
    }
    /** What the commands of a set-up print, and a client with the key that they create. */
    const setUp = async (command: string | undefined, name: string) => {
      const { code, stderr, stdout } = await runShell(`${command}\necho\necho $${name}`, variables)
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      const [answer = "", key = ""] = stdout.trim().split("\n")
      return { answer: JSON.parse(answer), ...clientOf(server.address, key) }
    }
    const [first, second, third] = commands
    expect(commands).toHaveLength(3)

    const contractor = await setUp(first, "CONTRACTOR")
    const { documentId, success } = contractor.answer.results[0]
    expect(success).toBe(true)
    const files = [{ filename: "Report.pdf", mimeType: "application/pdf" }]
    const request = { siteId: inWest, fileType: "documents", files }
    expect((await contractor.call("POST", "/api/docs/bulk-upload-url", request)).body.code).toBe("site_not_found")
    expect((await contractor.call("PUT", `/api/sites/${inNorth}`, { address: "x" })).body.code).toBe("scope_missing")

    const insurer = await setUp(second, "INSURER")
    expect(insurer.answer.data).toMatchObject([{ id: documentId, omRecordId: "OM-7" }])
    expect((await insurer.call("GET", "/api/sites")).body.data).toMatchObject([{ id: inNorth }])
    expect((await insurer.call("DELETE", `/api/docs/${documentId}`)).body.code).toBe("scope_missing")

    const lender = await setUp(third, "LENDER")
    expect(lender.answer).toMatchObject({ siteCount: 2, completeCount: 0 })
    const { data } = (await lender.call("GET", "/api/portfolios")).body
    expect(data).toMatchObject([{ id: north.id }, { id: south.id }])
    expect((await lender.call("GET", "/api/me")).body.portfolioIds).toEqual([north.id, south.id])
  }
)
