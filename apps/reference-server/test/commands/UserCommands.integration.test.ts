import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { run, runJson } from "../CommandInProcess.ts"
import { browserOf } from "../console/Browser.ts"
import { ownSchemas, withoutPostgres } from "../ExternalDatabase.ts"
import { serve } from "../ServerInProcess.ts"
import { run as runProcess, temporaryFolder, type Variables } from "../SolarSitesProcess.ts"

const someId = "0190a5c0-0000-7000-8000-000000000000"
const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const words = "correct horse battery"

const schemas = ownSchemas()
let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
})

afterAll(async () => {
  await schemas.drop()
  await folder[Symbol.asyncDispose]()
})

interface User {
  readonly id: string
  readonly email: string
}

describe.skipIf(withoutPostgres)("the commands for users", () => {
  let variables: Variables
  let organisation: string

  const create = (email: string, input: string, runCommand = run) =>
    runCommand(
      ["users", "create", "--organisation", organisation, "--email", email, "--name", "Ada", "--json"],
      variables,
      input
    )

  const created = async (email: string, input = `${words}\n`, runCommand = run): Promise<User> => {
    const { code, stderr, stdout } = await create(email, input, runCommand)
    expect([code, stderr]).toEqual([0, ""])
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    variables = schemas.next()
    await runJson(["migrate"], variables)
  })

  beforeEach(async () => {
    organisation = Object(await runJson(["organisations", "create", "--name", "Users"], variables)).id
  })

  it("create a user with the password from standard input, list it, and print no password", async () => {
    const user = await created("  Ada@Example.com ", `${words}\r\nand another line\n`, runProcess)
    expect(user).toEqual({
      id: uuid,
      organisationId: organisation,
      email: "Ada@Example.com",
      name: "Ada",
      createdAt: instant,
      role: "owner",
      portfolioIds: null
    })
    expect(await runJson(["users", "list", "--organisation", organisation], variables)).toEqual({ data: [user] })
    const { stdout } = await run(["users", "list", "--organisation", organisation], variables)
    expect(stdout).toMatch(/^ID +ORGANISATION ID +EMAIL +NAME +CREATED AT +ROLE +PORTFOLIOS\n/)
    expect(stdout).not.toMatch(/argon2|correct/)
    const common = await create("eve@example.com", "password1234\n")
    expect([common.code, common.stdout]).toEqual([1, ""])
    expect(common.stderr).toContain("The password must not be easy to guess")
    const reset = await run(["users", "reset-second-factor", user.id], variables)
    expect([reset.code, reset.stderr]).toEqual([1, expect.stringContaining("The user has no second factor.")])
  })

  it("change passwords and delete users while a server runs", async () => {
    const { email, id } = await created("bob@example.com", words)
    const server = await serve({ ...variables, DATA_DIR: folder.path, CONSOLE: "true" })
    const { logIn, send } = browserOf(server.address)
    await logIn({ email, password: words })
    expect(await runJson(["users", "set-password", id], variables, "another word entirely\n")).toMatchObject({
      id,
      email
    })
    expect((await send("GET /console/session")).outcome).toBe("session_missing")
    expect((await send("POST /console/session", { body: { email, password: words } })).outcome).toBe("login_failed")
    await logIn({ email, password: "another word entirely" })
    const reset = Object(await runJson(["users", "reset-link", "--email", email.toUpperCase()], variables))
    expect(reset).toEqual({ id, email, link: expect.any(String), expiresAt: instant })
    expect(reset.link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/reset#[\w-]{43}$/)
    const body = { token: reset.link.split("#")[1], password: words }
    expect((await send("POST /console/password-resets/complete", { body })).status).toBe(200)
    expect((await send("GET /console/session")).outcome).toBe("session_missing")
    await logIn({ email, password: words })
    expect(await runJson(["users", "delete", id], variables)).toMatchObject({ id, email })
    expect((await send("GET /console/session")).outcome).toBe("session_missing")
    await server.stop()
  })

  it("give a role, and keep an owner", async () => {
    const { id: organisationId } = Object(await runJson(["organisations", "create", "--name", "Roles"], variables))
    const create = (email: string, ...role: ReadonlyArray<string>) =>
      run(
        ["users", "create", "--organisation", organisationId, "--email", email, "--name", "x", ...role, "--json"],
        variables,
        words
      )
    const lastOwner =
      "An organisation with users needs an owner: make another user owner first, or delete the organisation.\n"
    const refused = { code: 1, signal: null, stdout: "", stderr: lastOwner }
    expect(await create("roles@example.com", "--role", "viewer")).toEqual(refused)
    const { id } = JSON.parse((await create("roles@example.com")).stdout)
    const viewer = JSON.parse((await create("viewer@example.com", "--role", "viewer")).stdout)
    expect(viewer.role).toBe("viewer")
    expect(await run(["users", "set-role", id, "admin", "--json"], variables)).toEqual(refused)
    expect(await run(["users", "delete", id, "--json"], variables)).toEqual(refused)
    expect(await runJson(["users", "set-role", viewer.id, "owner"], variables)).toEqual({ ...viewer, role: "owner" })
    expect(await runJson(["users", "delete", id], variables)).toMatchObject({ id, role: "owner" })
    expect(await runJson(["users", "delete", viewer.id], variables)).toMatchObject({ id: viewer.id })
  })

  it("limit users to portfolios, and take the limit away", async () => {
    const server = await serve({ ...variables, DATA_DIR: folder.path, CONSOLE: "true" })
    const { logIn, send } = browserOf(server.address)
    const { email } = await created("limits@example.com")
    await logIn({ email, password: words })
    const create = async (name: string): Promise<string> => {
      const { json } = await send("POST /console/api/portfolios", { body: { portfolios: [{ name }] } })
      return Object(json)["data"][0].id
    }
    const [north, south] = [await create("North"), await create("South")]
    const addOne = (role: string, ...portfolios: ReadonlyArray<string>) =>
      run(
        ["users", "create", "--organisation", organisation, "--email", `${role}@limits.example`, "--name", "x"].concat(
          ["--role", role, "--json"],
          portfolios.flatMap((id) => ["--portfolio", id])
        ),
        variables,
        words
      )
    const limited = JSON.parse((await addOne("viewer", south, north.toUpperCase())).stdout)
    expect(limited.portfolioIds).toEqual([south, north])
    const isOwner = "An owner cannot be limited to portfolios: give another role, or no limit.\n"
    expect(await addOne("owner", south)).toMatchObject({ code: 1, stdout: "", stderr: isOwner })

    const visible = async () => {
      const { logIn, send } = browserOf(server.address)
      await logIn({ email: "viewer@limits.example", password: words })
      const { json } = await send("GET /console/api/portfolios")
      return Object(json)["data"].map(({ name }: { name: string }) => name)
    }
    expect(await visible()).toEqual(["North", "South"])
    const set = (...args: ReadonlyArray<string>) => run(["users", "set-portfolios", limited.id, ...args], variables)
    expect(await set("--portfolio", north)).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining(north)
    })
    expect(await visible()).toEqual(["North"])
    const { data } = Object(await runJson(["users", "list", "--organisation", organisation], variables))
    expect(data.map(({ portfolioIds }: { portfolioIds: unknown }) => portfolioIds)).toEqual([null, [north]])
    expect(await run(["users", "set-role", limited.id, "owner"], variables)).toMatchObject({ code: 1, stderr: isOwner })
    for (const args of [[], ["--all", "--portfolio", north]]) {
      expect(await set(...args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("--all") })
    }
    const absent = `The organisation has no portfolio with the id ${someId}.`
    expect((await set("--portfolio", someId)).stderr).toContain(absent)
    expect((await set("--portfolio", north, "--portfolio", north)).stderr).toContain("--portfolio")
    expect(await visible()).toEqual(["North"])
    expect(JSON.parse((await set("--all", "--json")).stdout)).toEqual({ ...limited, portfolioIds: null })
    expect(await visible()).toEqual(["North", "South"])
    await server.stop()
  })

  it("report errors in one message, without standard output", async () => {
    await created("taken@example.com")
    const missingUser = `There is no user with the id ${someId}.\n`
    const missingOrganisation = `There is no organisation with the id ${someId}.\n`
    const elsewhere = ["users", "create", "--organisation", someId, "--email", "x@example.com", "--name", "x"]
    const here = ["users", "create", "--organisation", organisation, "--name", "x", "--email"]
    for (const [args, input, stderr] of [
      [elsewhere, words, missingOrganisation],
      [["users", "list", "--organisation", someId], undefined, missingOrganisation],
      [["users", "delete", someId], undefined, missingUser],
      [["users", "set-role", someId, "viewer"], undefined, missingUser],
      [["users", "set-portfolios", someId, "--all"], undefined, missingUser],
      [["users", "set-password", someId], words, missingUser],
      [["users", "reset-link"], undefined, "Give the id of the user, or --email.\n"],
      [[...here, "TAKEN@example.com"], words, "There is a user with the e-mail address TAKEN@example.com already.\n"],
      [[...here, "x@example.com"], "too short\n", "The password must have at least 12 characters.\n"],
      [[...here, "x@example.com"], "x".repeat(1_025), "The password must have at most 1024 bytes.\n"],
      [[...here, "x@example.com"], "", "The password is read from standard input, which is empty.\n"]
    ] as const) {
      const end = await run([...args, "--json"], variables, input)
      expect([args, end]).toEqual([args, { code: 1, signal: null, stdout: "", stderr }])
    }
    const { id } = await created("no.passwords@example.com")
    const provider = {
      PASSWORD_LOGIN: "false",
      PUBLIC_URL: "https://solar.example.com",
      OIDC_ISSUER: "https://login.example.com",
      OIDC_CLIENT_ID: "solar"
    }
    expect(await run(["users", "reset-link", id], { ...variables, ...provider })).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "With PASSWORD_LOGIN=false the server accepts no new passwords: remove the setting first.\n"
    })
    const { code, stderr } = await create("no address", words)
    expect([code, stderr.split("\n")[0]]).toEqual([1, "--email must be an e-mail address."])
  })
})
