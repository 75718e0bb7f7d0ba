import { describe, expect, it } from "vitest"
import { run } from "../CommandInProcess.ts"
import { documentedCommands } from "../OperationsPage.ts"
import { run as runProcess } from "../SolarSitesProcess.ts"

const id = "0190a5c0-0000-7000-8000-000000000000"

const refused = async (...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await run(args)
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
  return stderr
}

describe("solar-sites", () => {
  it("prints its version", async () => {
    expect(await runProcess(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\d+\.\d+\.\d+\n$/)
    })
  })

  it("shows every command in its help, and the flags of each in theirs", async () => {
    const helps: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [[], ["serve", "migrate", "organisations", "api-keys"]],
      [["serve"], ["--migrate"]],
      [["migrate"], ["--print", "--json"]],
      [["organisations"], ["create", "list", "activate", "deactivate"]],
      [
        ["api-keys", "create"],
        ["--organisation", "--name", "--expires-in", "--user", "--scopes", "--json"]
      ],
      [
        ["api-keys", "rotate"],
        ["ID", "--overlap"]
      ]
    ]
    for (const [command, expected] of helps) {
      const { code, stderr, stdout } = await run([...command, "--help"])
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
      for (const word of expected) expect(stdout).toContain(word)
    }
  })

  it("refuses an unknown scope with the list of scopes", async () => {
    const create = ["api-keys", "create", "--organisation", id, "--name", "Reporting", "--scopes"]
    for (const scopes of ["sites:reed", "sites:read,", ""]) {
      const stderr = await refused(...create, scopes)
      expect(stderr).toContain("--scopes must be a list of scopes, separated by commas; the scopes are sites:read, ")
      expect(stderr).toContain("requirements:write")
    }
  })

  it("refuses an unknown role with the list of roles", async () => {
    const create = [
      "users",
      "create",
      "--organisation",
      id,
      "--email",
      "a@example.com",
      "--name",
      "x",
      "--role",
      "boss"
    ]
    expect(await refused(...create)).toContain("--role must be one of owner, admin, member, viewer.")
    expect(await refused("users", "set-role", id, "boss")).toContain(
      "ROLE must be one of owner, admin, member, viewer."
    )
  })

  it("has exactly the documented commands and flags", async () => {
    const wordsIn = (help: string, title: string) =>
      [...(help.split(title)[1]?.split(/\n\n/)[0] ?? "").matchAll(/^ +(?:-\w, )?([a-z-]+)/gm)].map(([, word]) => word)
    const flagsIn = (help: string) => new Set(help.match(/--[a-z-]+/g))
    const found: Array<string> = []
    const walk = async (words: ReadonlyArray<string>): Promise<void> => {
      const { stdout } = await run([...words, "--help"])
      const subcommands = wordsIn(stdout, "SUBCOMMANDS\n")
      if (subcommands.length === 0) found.push(words.join(" "))
      for (const word of subcommands) await walk([...words, word ?? ""])
    }
    await walk([])
    expect(found.toSorted()).toEqual(documentedCommands.map(({ words }) => words.join(" ")).toSorted())
    for (const { flags, words } of documentedCommands) {
      const { stdout } = await run([...words, "--help"])
      for (const flag of flagsIn(stdout)) expect([...flags, "--json", "--help", "--version"]).toContain(flag)
      for (const flag of flags) expect(stdout).toContain(flag)
    }
  })

  it("names the flag that is missing or unknown", async () => {
    expect(await refused("organisations", "create", "--json")).toContain("--name")
    expect(await refused("api-keys", "list", "--json")).toContain("--organisation")
    expect(await refused("serve", "--port", "80")).toContain("--port")
    expect(await refused("organisation", "list")).toContain("organisation")
    expect(await refused("organisations", "activate", "--json")).toContain("ID")
  })

  it("exits with 1 after an invalid invocation, without standard output", async () => {
    expect(await runProcess(["organisations", "create", "--json"])).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr: "Missing required flag: --name\nSee solar-sites organisations create --help.\n"
    })
  })

  it("validates names and ids like the API", async () => {
    expect(await refused("organisations", "create", "--name", "  ")).toContain("--name must not be empty.")
    expect(await refused("organisations", "create", "--name", "x".repeat(201))).toContain(
      "--name must have at most 200 characters."
    )
    expect(await refused("organisations", "create", "--name", "a\u202eb")).toContain(
      "--name must not hold control characters or bidirectional overrides."
    )
    expect(await refused("organisations", "deactivate", "42", "--json")).toContain("ID must be a UUID.")
    expect(await refused("api-keys", "list", "--organisation", "42")).toContain("--organisation must be a UUID.")
  })

  it("explains the form of a duration", async () => {
    const create = ["api-keys", "create", "--organisation", id, "--name", "x", "--expires-in"]
    for (const wrong of ["90", "3 weeks", "1.5h"]) {
      expect(await refused(...create, wrong, "--json")).toMatch(/--expires-in must be .* 90d, 12h, 30m or 1s\./)
    }
    expect(await refused(...create, "0s")).toContain("--expires-in must be longer than nothing.")
    expect(await refused("api-keys", "rotate", id, "--overlap", "soon")).toContain("--overlap must be")
  })

  it("stops at an invalid setting with one sentence that names it", async () => {
    for (const [runCommand, ...command] of [
      [runProcess, "serve"],
      [run, "organisations", "list", "--json"]
    ] as const) {
      expect(await runCommand(command, { DATABASE_POOL_SIZE: "many" })).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: "DATABASE_POOL_SIZE must be a whole number from 1 to 1000.\n"
      })
    }
    expect((await run(["serve"], { LOG_FORMAT: "xml" })).stderr).toBe('LOG_FORMAT must be "json" or "pretty".\n')
  })
})
