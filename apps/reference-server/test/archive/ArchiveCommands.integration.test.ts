import { createServer } from "node:http"
import { join } from "node:path"
import type { OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run, runJson } from "../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { settingsOf } from "../S3Server.ts"
import { runJson as runJsonProcess, start, temporaryFolder, type Variables } from "../SolarSitesProcess.ts"
import { fill, type Installation, installation } from "./ArchiveSetup.ts"

const schemas = ownSchemas()

/** An empty storage that never answers changes, to hold a command where it changes a file. */
const silentStorage = async () => {
  let change = Promise.withResolvers<void>()
  const server = createServer(({ method }, response) => {
    if (method === "HEAD") response.writeHead(404).end()
    else if (method !== "GET") change.resolve()
    if (method !== "GET") return
    response.setHeader("content-type", "application/xml").end("<ListBucketResult><Name>none</Name></ListBucketResult>")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  const keys = { region: "us-east-1", accessKeyId: "none", secretAccessKey: "none" }
  return {
    settings: settingsOf("none", { ...keys, endpoint }),
    /** Resolves with the next change. */
    nextChange: () => {
      change = Promise.withResolvers<void>()
      return change.promise
    },
    close: () => server.close()
  }
}

describe.skipIf(withoutPostgres)("solar-sites organisations export and import", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let variables: Variables
  let target: Installation
  let id: OrganisationId
  let archive: string
  let silent: Awaited<ReturnType<typeof silentStorage>>
  const counts = { portfolios: 1, sites: 1, documents: 4, requirements: 1, users: 2, files: 3, missingFiles: 0 }

  beforeAll(async () => {
    silent = await silentStorage()
    folder = await temporaryFolder()
    archive = join(folder.path, "archive.tar.gz")
    const source = { ...schemas.next(), DATA_DIR: join(folder.path, "source") }
    const from = await installation(source)
    id = await fill(from, "Sunfield")
    await from.close()
    variables = { ...schemas.next(), DATA_DIR: join(folder.path, "target") }
    target = await installation(variables)
    expect(await runJsonProcess(["organisations", "export", id, "--to", archive], source)).toEqual({
      id,
      name: "Sunfield",
      status: "active",
      ...counts,
      events: expect.any(Number)
    })
  })
  afterAll(async () => {
    silent?.close()
    await target?.close()
    await schemas.drop()
    await folder[Symbol.asyncDispose]()
  })

  /** Runs a command until it changes a file: later it would give up, and a sweep would take its place. */
  const killAtChange = async (args: ReadonlyArray<string>) => {
    const change = silent.nextChange()
    const killed = start(args, { ...variables, ...silent.settings })
    await Promise.race([change, killed.finished])
    killed.kill("SIGKILL")
    expect((await killed.finished).signal).toBe("SIGKILL")
  }

  const remove = ["organisations", "delete"]
  const isPresent = async () => (await target.sql(`select 1 from {schema}.organisation where id = '${id}'`)).length > 0
  const imported = async () => {
    if (!(await isPresent())) await runJson(["organisations", "import", archive], variables)
  }
  /** No organisation, and no file of it that is still to be deleted. */
  const absent = async () => {
    if (await isPresent()) await runJson([...remove, id, "--confirm", "Sunfield"], variables)
    await target.sql("delete from {schema}.deleted_file")
  }

  it("repeat an import that was killed, and give users a new password by a link", async () => {
    await absent()
    await killAtChange(["organisations", "import", archive])
    expect((await target.solar.organisations.get(id)).status).toBe("inactive")

    expect(await runJson(["organisations", "import", archive], variables)).toMatchObject({
      id,
      status: "active",
      ...counts
    })
    const { documents, sites } = target.solar.as({ organisationId: id })
    expect((await sites.list()).data).toHaveLength(1)
    const { data } = await documents.list({ status: "uploaded" })
    expect(data).toHaveLength(3)
    expect(await target.keys(id)).toHaveLength(3)
    const { link } = Object(await runJson(["users", "reset-link", "--email", `owner.${id}@example.com`], variables))
    expect(link).toContain("/reset")

    const again = await run(["organisations", "import", archive], variables)
    expect([again.code, again.stderr]).toEqual([
      1,
      `Nothing was imported: there is an organisation with the id ${id} already.\n`
    ])
  })

  it("leave nothing of an organisation whose deletion was killed and repeated", async () => {
    await imported()
    const args = [...remove, id, "--confirm", "Sunfield"]
    await killAtChange(args)
    expect(await isPresent()).toBe(false)
    expect(await target.keys(id)).toHaveLength(3)
    await run(args, variables)
    expect(await target.keys(id)).toEqual([])
    for (const table of [
      "site",
      "portfolio",
      "document",
      "event",
      "console_user",
      "requirement",
      "webhook",
      "console_import"
    ]) {
      expect({ table, rows: await target.sql(`select 1 from {schema}.${table}`) }).toEqual({ table, rows: [] })
    }
    const again = await run(args, variables)
    expect([again.code, again.stderr]).toEqual([1, `There is no organisation with the id ${id}.\n`])
  })

  it("import again without users, and remove the files of an interrupted import", async () => {
    await absent()
    const { stdout } = await run(["organisations", "import", archive, "--without-users"], variables)
    expect(stdout).toMatch(/^Organisation imported\.\n[\s\S]*\n {2}users +0\n/)
    expect(await runJson(["users", "list", "--organisation", id], variables)).toEqual({ data: [] })

    await target.sql(`insert into {schema}.console_import values ('${id}', 'digest', now())`)
    await target.sql("delete from {schema}.document")
    await target.sql("delete from {schema}.deleted_file")
    expect((await run(["organisations", "import", archive], variables)).stderr).toContain(
      "an import of another archive"
    )
    const removed = await runJson([...remove, id, "--confirm", "Sunfield"], variables)
    expect(removed).toMatchObject({ id, documents: 0, sites: 1, portfolios: 1, users: 0 })
    expect(await target.keys(id)).toEqual([])
  })

  it("say what is wrong", async () => {
    const unknown = "01890000-0000-7000-8000-000000000000"
    const [absent, missing, nowhere] = await Promise.all([
      run(["organisations", "export", unknown, "--to", join(folder.path, "x.tar.gz")], variables),
      run(["organisations", "import", join(folder.path, "none.tar.gz")], variables),
      run(["organisations", "export", unknown, "--to", join(folder.path, "none", "x.tar.gz")], variables)
    ])
    expect([absent.code, absent.stderr]).toEqual([1, `There is no organisation with the id ${unknown}.\n`])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("none.tar.gz cannot be read: ENOENT")])
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("cannot be written: ENOENT")])
  })
})
