import { ValidationFailed } from "@solar-sites/core"
import { describe, expect, it } from "vitest"
import { collect, makeSetup, newSite, refusal } from "./setup.ts"

describe("the promises of a caller", () => {
  it("refuse an invalid caller in every call, and name the caller in the fault", async () => {
    await using setup = await makeSetup()
    const { portfolios, sites } = setup.solar.as({ organisationId: "nonsense", userId: "" })
    for (const promise of [sites.list(), sites.create(newSite), collect(portfolios.streamWithSites())]) {
      const error = await refusal(promise)
      expect(error).toBeInstanceOf(ValidationFailed)
      expect(error).toMatchObject({
        code: "validation_failed",
        faults: [
          { pointer: "/organisationId", code: "invalid_uuid", detail: "must be a UUID (in the caller given to as)" },
          { pointer: "/userId", code: "too_short", detail: "must not be empty (in the caller given to as)" }
        ]
      })
    }
    for (const invalid of ["{}", "null", "[]", "7"]) {
      const error = await refusal(setup.solar.as(JSON.parse(invalid)).sites.list())
      expect(error).toMatchObject({ faults: [{ code: invalid === "{}" ? "required" : "invalid_type" }] })
    }
  })

  it("accept a user object of the application with further members", async () => {
    await using setup = await makeSetup()
    const { id } = setup.user.organisation
    class User {
      readonly role = "admin"
      readonly userId = "user-2"
      get organisationId() {
        return id
      }
      get permissions() {
        return expect.unreachable("looked at")
      }
    }
    const site = await setup.solar.as(new User()).sites.create(newSite)
    expect(site.organisationId).toBe(id)
    const user = { organisationId: id, apiKeyId: undefined, role: "admin", toString: () => expect.unreachable() }
    expect((await setup.solar.as(user).sites.list()).data).toEqual([site])
  })
})

describe("the promises", () => {
  it("read no items of an array that is longer than any input", async () => {
    await using setup = await makeSetup()
    const closed = new Proxy(Object.create(null), {
      get: () => expect.unreachable("looked at"),
      ownKeys: () => expect.unreachable("looked at")
    })
    const many = Array.from({ length: 1_001 }, () => closed)
    const { portfolios, sites } = setup.user
    expect(await refusal(portfolios.createMany(many))).toMatchObject({ faults: [{ pointer: "", code: "too_many" }] })
    const named = sites.create({ ...newSite, siteName: Object(many) })
    expect(await refusal(named)).toMatchObject({ faults: [{ pointer: "/siteName", code: "invalid_type" }] })
  })
})

describe("the promises reject and never throw", () => {
  const bare = Object.create(null)

  it("for ids and keys without a text form", async () => {
    await using setup = await makeSetup()
    const { apiKeys, documents, portfolios, sites } = setup.user
    const calls: ReadonlyArray<readonly [tag: string, call: () => Promise<unknown>]> = [
      ["SiteNotFound", () => sites.get(bare)],
      ["SiteNotFound", () => sites.update(bare, {})],
      ["PortfolioNotFound", () => portfolios.addSites(bare, [setup.user.organisation.id])],
      ["DocumentNotFound", () => documents.get(bare)],
      ["ApiKeyNotFound", () => apiKeys.rotate(bare)],
      ["OrganisationNotFound", () => setup.solar.organisations.get(bare)],
      ["ApiKeyInvalid", () => setup.solar.authenticate(bare)]
    ]
    for (const [tag, call] of calls) expect(await refusal(call())).toMatchObject({ _tag: tag })
    await setup.solar.objectArrived(bare)
  })

  it("for exceptions of a getter in their input", async () => {
    await using setup = await makeSetup()
    const bug = new TypeError("a bug of the host")
    const throwing = (name: string) =>
      Object.defineProperty(Object.create(null), name, {
        enumerable: true,
        get: () => {
          throw bug
        }
      })
    const { apiKeys, documents, portfolios, sites } = setup.user
    const { id } = setup.user.organisation
    const calls: ReadonlyArray<() => Promise<unknown>> = [
      () => sites.create(throwing("siteName")),
      () => sites.list(throwing("limit")),
      () => sites.list(throwing("cursor")),
      () => sites.update(id, {}, throwing("expectedVersion")),
      () => sites.get(throwing("length")),
      () => portfolios.createMany([throwing("name")]),
      () => collect(portfolios.streamWithSites(throwing("limit"))),
      () => documents.issueUploads(throwing("files")),
      () => apiKeys.rotate(id, throwing("overlap")),
      () => sites.list({}, throwing("signal")),
      () => setup.solar.as(throwing("organisationId")).sites.list(),
      () => setup.solar.organisations.list(throwing("cursor"))
    ]
    for (const call of calls) expect(await refusal(call())).toBe(bug)
  })
})
