import { describe, expect, it } from "vitest"
import { run } from "../SolarSitesProcess.ts"

const id = "0190a5c0-0000-7000-8000-000000000000"

const refused = async (...args: ReadonlyArray<string>) => {
  const end = await run(args)
  expect(end).toMatchObject({ code: 1, stdout: "" })
  expect(end.stderr).not.toMatch(/^\s+at /m)
  return end.stderr
}

describe.concurrent("solar-sites", { timeout: 60_000 }, () => {
  it("prints its version", async () => {
    expect(await run(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/\d+\.\d+\.\d+\n$/) })
  })

  it("shows every command in its help, and the flags of each in theirs", async () => {
    const helps: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [[], ["serve", "migrate", "organisations", "api-keys"]],
      [["serve"], ["--migrate"]],
      [["migrate"], ["--print", "--json"]],
      [["organisations"], ["create", "list", "activate", "deactivate"]],
      [
        ["api-keys", "create"],
        ["--organisation", "--name", "--expires-in", "--user", "--json"]
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

  it("names the flag that is missing or unknown", async () => {
    expect(await refused("organisations", "create", "--json")).toContain("--name")
    expect(await refused("api-keys", "list", "--json")).toContain("--organisation")
    expect(await refused("serve", "--port", "80")).toContain("--port")
    expect(await refused("organisation", "list")).toContain("organisation")
    expect(await refused("organisations", "activate", "--json")).toContain("ID")
  })

  it("judges names and ids as the API does", async () => {
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

  it("says how a duration is written", async () => {
    const create = ["api-keys", "create", "--organisation", id, "--name", "x", "--expires-in"]
    for (const wrong of ["90", "3 weeks", "1.5h"]) {
      expect(await refused(...create, wrong, "--json")).toMatch(/--expires-in must be .* 90d, 12h, 30m or 1s\./)
    }
    expect(await refused(...create, "0s")).toContain("--expires-in must be longer than nothing.")
    expect(await refused("api-keys", "rotate", id, "--overlap", "soon")).toContain("--overlap must be")
  })

  it("stops at a wrong setting with one sentence that names it", async () => {
    for (const command of [["serve"], ["migrate", "--json"], ["organisations", "list", "--json"]]) {
      expect(await run(command, { DATABASE_POOL_SIZE: "many" })).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: "DATABASE_POOL_SIZE must be a whole number from 1 to 1000.\n"
      })
    }
    expect((await run(["serve"], { LOG_FORMAT: "xml" })).stderr).toBe('LOG_FORMAT must be "json" or "pretty".\n')
  })
})
