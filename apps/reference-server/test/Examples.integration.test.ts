import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocks, placeOf } from "../../../scripts/blocks.ts"
import { clientOf } from "./Client.ts"
import { copyTo, prepared } from "./Prepared.ts"
import { runShell } from "./Readme.ts"
import { type Server, serve, stop, temporaryFolder } from "./SolarSitesProcess.ts"

const scripts = blocks()
  .filter(({ language, unrun }) => language === "sh" && unrun === undefined)
  .map((block) => ({ place: placeOf(block), ...block }))

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
  let server: Server
  let variables: Readonly<Record<string, string>>

  beforeAll(async () => {
    folder = await temporaryFolder()
    const { apiKey } = await prepared()
    server = await serve(await copyTo(join(folder.path, "data")))
    const client = clientOf(server.address, apiKey)
    const { organisation } = (await client.call("GET", "/api/me")).body
    variables = {
      // Commands use a copy, since one process at a time can open an embedded database.
      ...(await copyTo(join(folder.path, "commands"))),
      URL: server.address,
      KEY: apiKey,
      ORGANISATION: organisation.id,
      SITE: await client.createSite()
    }
  })

  afterAll(async () => {
    await stop(server)
    await folder[Symbol.asyncDispose]()
  })

  it.for(scripts)("$place succeed", async ({ code, prints }) => {
    const { stderr, ...end } = await runShell(code.replaceAll("http://127.0.0.1:3000", server.address), variables)
    expect({ ...end, stderr }).toEqual({ code: 0, stdout: expect.any(String), stderr: "" })
    if (prints !== undefined) expect(end.stdout.split("\n")).toContain(prints)
    // curl without -f succeeds with any status.
    expect(end.stdout).not.toMatch(/"status":\s?[45]\d\d/)
  })
})
