import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Block, blocks, placeOf } from "../../../scripts/blocks.ts"
import { type AnyDatabase, anyDatabase } from "./AnyDatabase.ts"
import { clientOf } from "./Client.ts"
import { runShell } from "./Readme.ts"
import { type ServerInProcess, serve } from "./ServerInProcess.ts"
import { temporaryFolder } from "./SolarSitesProcess.ts"

const scripts = blocks().filter(({ language, unrun }) => language === "sh" && unrun === undefined)
const isSame = (one: Block) => (other: Block) => one.code === other.code && one.prints === other.prints

// The same commands on several pages run once.
const examples = scripts
  .filter((script, index) => scripts.findIndex(isSame(script)) === index)
  .map((script) => ({ ...script, places: scripts.filter(isSame(script)).map(placeOf).join(" and ") }))

describe("commands for npm and pnpm are refused when", () => {
  it.for([
    ["a script is missing", "npx -y pnpm@10 begin", "there is no script begin"],
    ["a package is missing", "npx -y pnpm@10 --filter @solar-sites/none test", "there is no package @solar-sites/none"],
    ["a file is missing", "npx -y pnpm@10 exec node scripts/none.ts", "scripts/none.ts is missing"],
    ["no package uses a name", "npm install solar-sites-unknown", "is used by nothing here"],
    ["a peer dependency is not installed", "npm install @solar-sites/core", "@solar-sites/core needs effect"],
    ["the command is unknown", "npm publish", "npm publish has no substitute"]
  ] as const)("%s", async ([, script, message]) => {
    const { code, stderr } = await runShell(script, {})
    expect(code).not.toBe(0)
    expect(stderr).toContain(message)
  })
})

describe("the commands at", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: AnyDatabase
  let server: ServerInProcess
  let variables: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    database = await anyDatabase(folder.path)
    server = await serve(database.variables)
    const client = clientOf(server.address, database.apiKey)
    const { organisation } = (await client.call("GET", "/api/me")).body
    const portfolios = (await client.call("POST", "/api/portfolios", { portfolios: [{ name: "North" }] })).body
    variables = {
      ...(await database.beside()),
      URL: server.address,
      KEY: database.apiKey,
      ORGANISATION: organisation.id,
      PORTFOLIO: portfolios.data[0].id,
      SITE: await client.createSite()
    }
  })

  afterAll(async () => {
    await server.stop()
    await database.drop()
    await folder[Symbol.asyncDispose]()
  })

  it.for(examples)("$places succeed", async ({ code, prints }) => {
    const { stderr, ...end } = await runShell(code.replaceAll("http://127.0.0.1:3000", server.address), variables)
    expect({ ...end, stderr }).toEqual({ code: 0, stdout: expect.any(String), stderr: "" })
    if (prints !== undefined) expect(end.stdout.split("\n")).toContain(prints)
    // curl without -f succeeds with any status.
    expect(end.stdout).not.toMatch(/"status":\s?[45]\d\d/)
  })
})
