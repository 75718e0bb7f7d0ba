import { execFile } from "node:child_process"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { IdempotencyStore, OrganisationRepository } from "@solar-sites/core"
import {
  type ConformanceSuite,
  idempotencyStoreConformance,
  organisationRepositoryConformance
} from "@solar-sites/testing"
import { Cause, Effect, Exit, type Layer } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { blocksOf, examples, readPage } from "../../scripts/blocks.ts"

type Ports = IdempotencyStore | OrganisationRepository
type Adapter = { readonly layer: (path: string) => Layer.Layer<Ports> }

const page = "docs/adapters.md"
const text = readPage(page)
// Within this package, so that what the files import is found.
const folder = fileURLToPath(new URL(`../.examples.adapters/${crypto.randomUUID()}/`, import.meta.url))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes the files of the page to a folder of their own, as a reader would. */
const follow = async (pageText: string, name: string): Promise<string> => {
  await mkdir(`${folder}${name}`, { recursive: true })
  for (const { code, path } of examples(blocksOf(page, pageText))) {
    await writeFile(`${folder}${name}/${path.split("/").at(-1)}`, code)
  }
  return `${folder}${name}`
}

const suites: ReadonlyArray<ConformanceSuite<Ports>> = [organisationRepositoryConformance, idempotencyStoreConformance]

/** How the case of this name fails. The other cases would only take time. */
const failureOf = async (pageText: string, folderName: string, caseName: string) => {
  const { layer }: Adapter = await import(`${await follow(pageText, folderName)}/SqliteAdapters.ts`)
  const found = suites.flatMap((suite) => suite.cases).find(({ name }) => name === caseName)
  if (found === undefined) throw new Error(`no suite has the case ${caseName}`)
  const exit = await Effect.runPromise(Effect.exit(Effect.provide(found.check, layer(":memory:"))))
  return Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "nothing"
}

it("the adapter of the page is whole: followed literally, every case of both suites passes", async () => {
  const cwd = await follow(text, "whole")
  const args = ["--conditions=@solar-sites/source", "--test", "--test-reporter=tap", "SqliteAdapters.test.ts"]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
  const count = suites.reduce((sum, { cases, failures = [] }) => sum + cases.length + failures.length, 0)
  expect(stdout).toContain(`# pass ${count}\n# fail 0\n`)
})

/** What an adapter does that differs from core, on random steps. */
const compared = "claims, ends and purges keys as core does, in organisations with the same ones (random steps 1)"
const differs = "the answer to step"
const pages = "lists every organisation once, in ascending order of id, in pages of any size"

/** One change of the page: what it takes away, the case that fails, and what that says. */
const breakages: ReadonlyArray<readonly [mistake: string, line: string, wrong: string, fails: string, says: string]> = [
  [
    "forgets the organisation",
    "organisation_id = :organisationId and caller = :caller and key = :key",
    "length(:organisationId) and caller = :caller and key = :key",
    compared,
    differs
  ],
  [
    "asks for no row more than the page",
    "limit: limit + 1",
    "limit",
    pages,
    "each organisation once, with a limit of 1"
  ],
  [
    "takes every full page for one that goes on",
    "rows.length > limit",
    "rows.length >= limit",
    pages,
    "hasMore is true only when something follows"
  ],
  [
    "starts the next page where the last one ended",
    "or id > :after",
    "or id >= :after",
    pages,
    "ids ascend and follow what was seen"
  ],
  ["lists in any order", "order by id", "order by id desc", pages, "hasMore is true only when something follows"],
  [
    "writes over what is there",
    '"insert into organisation',
    '"replace into organisation',
    "refuses a duplicate organisation",
    "an id that is taken\nexpected: a failure"
  ],
  [
    "clears what was not given",
    "status = coalesce(:status, status)",
    "status = coalesce(:status, 'active')",
    "sets the members that are given and keeps the others",
    "an update answers the result"
  ],
  ["does not look who asks", 'if (there.fingerprint !== fingerprint) return { _tag: "Reused" }', "", compared, differs],
  [
    "has the same keys for all callers",
    " and caller = :caller and key = :key",
    " and length(:caller) and key = :key",
    compared,
    differs
  ],
  ["forgets the lease", 'if (there.lease_until > now) return { _tag: "InUse" }', "", compared, differs],
  [
    "gives a new seed to an old claim",
    'return { _tag: "Claimed", seed: there.seed }',
    'return { _tag: "Claimed", seed }',
    compared,
    differs
  ],
  [
    "lets anybody end a claim",
    " and seed = :seed and answer is null",
    " and length(:seed) and answer is null",
    compared,
    differs
  ],
  ["keeps everything for ever", "forget.run({ organisationId, ...key, now })", "", compared, differs]
]

describe("with one line broken, so that it", () => {
  it.for(breakages)(
    "%s, the case about it fails and says what was promised",
    async ([mistake, line, wrong, fails, says]) => {
      expect(text.split(line).length, "the line is on the page").toBeGreaterThan(1)
      const changed = text.replace(line, () => wrong)
      expect(await failureOf(changed, mistake.replaceAll(" ", "-"), fails)).toContain(says)
    }
  )
})

it("every suite that is exported is in the table of the ports", async () => {
  const exported = Object.keys(await import("@solar-sites/testing")).filter((name) => name.endsWith("Conformance"))
  expect(
    exported.filter((name) => name !== "runConformance" && !readPage("docs/ports.md").includes(`\`${name}\``))
  ).toEqual([])
})
