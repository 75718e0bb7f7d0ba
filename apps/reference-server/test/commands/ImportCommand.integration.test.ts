import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { files } from "../../../../examples/imports/src/files.ts"
import { run } from "../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { operator } from "../Operator.ts"
import type { Variables } from "../SolarSitesProcess.ts"

const schemas = ownSchemas()

describe.skipIf(withoutPostgres)("solar-sites import sites", () => {
  let variables: Variables
  let organisation: string
  let folder: string

  beforeAll(async () => {
    variables = schemas.next()
    const by = operator(variables, "apply")
    organisation = await by.createOrganisation()
    await by.close()
    folder = await mkdtemp(join(tmpdir(), "solar-sites-"))
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    await writeFile(join(folder, "empty.csv"), "")
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await schemas.drop()
  })

  const argsOf = (name: string, ...args: ReadonlyArray<string>) => [
    "import",
    "sites",
    join(folder, name),
    "--organisation",
    organisation,
    ...args
  ]
  const load = (...args: Parameters<typeof argsOf>) => run(argsOf(...args), variables)

  it("imports a file, and nothing more when it is repeated", async () => {
    const dryRun = await load("tabs.tsv", "--upsert", "--dry-run", "--json")
    expect(JSON.parse(dryRun.stdout)).toEqual({ created: 2, updated: 0, unchanged: 0, faults: [], dryRun: true })
    const first = await load("tabs.tsv", "--upsert", "--json")
    expect(JSON.parse(first.stdout)).toEqual({ created: 2, updated: 0, unchanged: 0, faults: [], dryRun: false })
    const second = await load("tabs.tsv", "--upsert")
    expect([second.code, second.stdout, second.stderr]).toEqual([
      0,
      "Imported: 0 created, 0 updated, 2 unchanged.\n",
      ""
    ])
  })

  it("names the faults, writes a report, and fails", async () => {
    const report = join(folder, "report.csv")
    const { code, stderr, stdout } = await load("faults.csv", "--report", report)
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toContain("Row 6, latitude: must be from -90 to 90.\n")
    expect(stderr).toContain("Nothing was stored: the file has 9 faults.")
    const lines = (await readFile(report, "utf8")).split("\r\n")
    expect([lines.length, lines[0], lines[1]?.startsWith("3,unit,invalid_value,")]).toEqual([
      11,
      "row,column,code,detail",
      true
    ])
    const json = await load("faults.csv", "--json")
    expect([json.code, JSON.parse(json.stdout).faults.length]).toEqual([1, 9])
  })

  it("writes the file with its faults, which has the same ones", async () => {
    const faulty = join(folder, "faulty.csv")
    const first = await load("faults.csv", "--faulty-file", faulty)
    expect([first.code, first.stdout]).toEqual([1, ""])
    expect(await readFile(faulty, "utf8")).toContain("\ufeffimportFaults,externalId,siteName")
    const again = await load("faulty.csv")
    expect([again.code, again.stderr]).toEqual([1, first.stderr])
    const [unwritable, unreadable] = [
      await load("faults.csv", "--faulty-file", join(folder, "no", "file.csv")),
      await load("empty.csv", "--faulty-file", join(folder, "unused.csv"))
    ]
    expect([unwritable.code, unwritable.stderr]).toEqual([1, expect.stringContaining("file.csv cannot be written")])
    expect([unreadable.code, unreadable.stderr]).toEqual([1, expect.stringContaining("has no rows")])
  })

  it("fails with a sentence for wrong arguments", async () => {
    const [missing, map] = await Promise.all([load("none.csv"), load("tabs.tsv", "--map", "Latitude=lat")])
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("none.csv cannot be read")])
    expect([map.code, map.stderr]).toEqual([1, expect.stringContaining("did you mean latitude")])
  })
})
