import { globSync, readFileSync } from "node:fs"
import { describe, expect, it, vi } from "vitest"
import { type AuditReport, faultsOf, judge } from "./audit.ts"
import { allowed, faultsOf as licenceFaultsOf, render } from "./licences.ts"
import { completed } from "./sbom.ts"
import { bundled } from "./shipped.ts"

const advisory = {
  github_advisory_id: "GHSA-aaaa-bbbb-cccc",
  module_name: "mailer",
  severity: "low",
  title: "Sends twice",
  vulnerable_versions: "<2.0.0",
  findings: [{ version: "1.0.0", paths: ["apps__reference-server>mailer"] }]
}
const accepted = { [advisory.github_advisory_id]: "no mail is sent" }

const quietly = <Result>(judgement: () => Result): Result => {
  const outputs = [vi.spyOn(console, "error"), vi.spyOn(console, "log")]
  for (const output of outputs) output.mockImplementation(() => {})
  try {
    return judgement()
  } finally {
    for (const output of outputs) output.mockRestore()
  }
}

describe("the audit", () => {
  it("fails for an advisory, unless it is accepted", () => {
    const report: AuditReport = { advisories: { 1: advisory } }
    expect(quietly(() => judge(report, false, {}))).toBe(1)
    expect(quietly(() => judge(report, true, accepted))).toBe(0)
    expect(faultsOf([advisory], {})).toEqual([
      "low: mailer <2.0.0: Sends twice (GHSA-aaaa-bbbb-cccc, by apps__reference-server>mailer)"
    ])
  })

  it("fails for an exception that no advisory needs", () => {
    expect(faultsOf([], accepted)).toEqual(["GHSA-aaaa-bbbb-cccc is no longer reported: remove the exception"])
    expect(quietly(() => judge({ advisories: {} }, true, accepted))).toBe(1)
  })

  it("passes when the registry has not answered, except where it is required", () => {
    const report: AuditReport = { error: { message: "The audit endpoint responded with 405" } }
    expect(quietly(() => judge(report, false))).toBe(0)
    expect(quietly(() => judge(report, true))).toBe(1)
    expect(quietly(() => judge({}, true))).toBe(1)
  })
})

describe("the licences", () => {
  const known = { name: "react", versions: ["1.0.0"], license: "MIT" }

  it("are refused unless they are in the table", () => {
    const copyleft = { name: "library", versions: ["1.0.0"], license: "GPL-3.0-only" }
    expect(licenceFaultsOf([known, copyleft])).toEqual([
      "library has the licence GPL-3.0-only, which scripts/licences.ts does not accept"
    ])
    expect(licenceFaultsOf([{ ...known, license: "Unknown" }])).toHaveLength(1)
  })

  it("are listed with the packages that have them", () => {
    expect(render([known, { ...known, versions: ["2.0.0"] }])).toContain(
      `| MIT | ${allowed.get("MIT")} | 1 | \`react\` |`
    )
  })
})

describe("the dependencies that are shipped", () => {
  const readManifest = (project: string) => JSON.parse(readFileSync(`${project}/package.json`, "utf8"))

  it("include every package that the pages of the console import", () => {
    const pattern = /(?:from|import) "((?:@[\w-]+\/)?[\w-]+)[/"]/g
    const names = new Set(
      globSync("apps/console/src/**/*.{ts,tsx,css}").flatMap((path) =>
        [...readFileSync(path, "utf8").matchAll(pattern)].map(([, name = ""]) => name)
      )
    )
    expect(names.size).toBeGreaterThan(10)
    const { dependencies } = readManifest("apps/console")
    for (const name of names) expect(Object.keys(dependencies)).toContain(name)
  })

  it("include every package that the build of a public package contains", () => {
    const contained = globSync("packages/*/tsup.config.ts").flatMap((path) => {
      const [, list = ""] = /noExternal: \[([^\]]*)\]/.exec(readFileSync(path, "utf8")) ?? []
      return list === "" ? [] : [list]
    })
    const { dependencies } = readManifest("apps/reference-server")
    expect(contained.sort()).toEqual(['"postgres"', "/^@effect\\/platform-node/"])
    expect([...bundled]).toEqual([["./packages/adapter-postgres", ["postgres"]]])
    expect(dependencies).toHaveProperty(["@effect/platform-node"])
  })

  it("are in the SBOM with their licences, under the version of the product", () => {
    const component = (name: string) => ({ name, version: "1.0.0", purl: `pkg:npm/${name}@1.0.0` })
    const bom = {
      metadata: { component: component("workspace") },
      components: [{ ...component("hooks"), group: "@ui" }]
    }
    const licences = [{ name: "@ui/hooks", versions: ["1.0.0"], license: "MIT" }]
    const { components, metadata } = completed(bom, "2.3.4", [component("postgres")], licences)
    expect(metadata.component).toMatchObject({ name: "solar-sites", version: "2.3.4" })
    expect(components).toMatchObject([{ name: "hooks", licenses: [{ expression: "MIT" }] }, { name: "postgres" }])
  })
})
