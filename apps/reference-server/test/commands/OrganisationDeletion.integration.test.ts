import { readdir } from "node:fs/promises"
import { expect, it } from "vitest"
import { run, runJson } from "../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { serve } from "../ServerInProcess.ts"
import { temporaryFolder } from "../SolarSitesProcess.ts"

const send = async (address: string, key: string, method: string, path: string, body?: unknown) => {
  const headers = { "x-api-key": key, "content-type": "application/json" }
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
  return Object(await (await fetch(`${address}${path}`, init)).json())
}

it.skipIf(withoutPostgres)("an organisation is deleted with everything in it while a server runs", async () => {
  const schemas = ownSchemas()
  const folder = await temporaryFolder()
  const variables = { ...schemas.next(), DATA_DIR: folder.path }
  const server = await serve(variables, "apply")
  const make = async (name: string) => {
    const { id } = Object(await runJson(["organisations", "create", "--name", name], variables))
    const { key } = Object(await runJson(["api-keys", "create", "--organisation", id, "--name", "Test"], variables))
    const call = (method: string, path: string, body?: unknown) => send(server.address, key, method, path, body)
    const site = await call("POST", "/api/sites", { siteName: "Long Meadow", capacity: 1, unit: "MW" })
    const { data } = await call("POST", "/api/portfolios", [{ name: "South" }])
    await call("POST", `/api/portfolios/${data[0].id}/sites`, { siteIds: [site.id] })
    const files = [{ filename: "a.txt", mimeType: "text/plain" }]
    const { results } = await call("POST", "/api/docs/bulk-upload-url", {
      siteId: site.id,
      fileType: "documents",
      files
    })
    const { headers, url } = results[0].uploadUrl
    expect((await fetch(url, { method: "PUT", headers, body: "bytes" })).ok).toBe(true)
    return { id, call }
  }
  const [gone, other] = [await make("Sunfield"), await make("Moonfield")]
  const user = ["--organisation", gone.id, "--email", "ada@example.com", "--name", "Ada"]
  await runJson(["users", "create", ...user], variables, "correct horse battery staple\n")

  const refused = await run(["organisations", "delete", gone.id, "--confirm", "Sunfeld", "--json"], variables)
  expect(refused).toMatchObject({ code: 1, stdout: "" })
  expect(refused.stderr).toBe(`Nothing was deleted: the organisation ${gone.id} is called "Sunfield", not "Sunfeld".\n`)
  expect((await gone.call("GET", "/api/sites")).data).toHaveLength(1)

  expect(await runJson(["organisations", "delete", gone.id, "--confirm", "Sunfield"], variables)).toEqual({
    id: gone.id,
    name: "Sunfield",
    documents: 1,
    sites: 1,
    portfolios: 1,
    apiKeys: 1,
    users: 1
  })
  expect(await runJson(["organisations", "list"], variables)).toEqual({
    data: [{ id: other.id, name: "Moonfield", status: "active" }]
  })
  const files = await readdir(folder.path, { recursive: true, withFileTypes: true })
  const owners = files.filter((file) => file.isFile()).map(({ parentPath }) => parentPath)
  expect(owners.filter((path) => path.includes(gone.id))).toEqual([])
  expect(owners.some((path) => path.includes(other.id))).toBe(true)
  expect((await other.call("GET", "/api/docs")).data).toHaveLength(1)

  const again = await run(["organisations", "delete", gone.id, "--confirm", "Sunfield"], variables)
  expect(again.stderr).toBe(`There is no organisation with the id ${gone.id}.\n`)
  // The e-mail address is free again, since the user is deleted too.
  await runJson(
    ["users", "create", "--organisation", other.id, ...user.slice(2)],
    variables,
    "correct horse battery staple\n"
  )
  await server.stop()
  await schemas.drop()
  await folder[Symbol.asyncDispose]()
})
