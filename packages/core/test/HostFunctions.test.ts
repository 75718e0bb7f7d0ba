import { type HostOrganisationFunctions, type HostUserFunctions, SolarSites } from "@solar-sites/core"
import { anOrganisationId, MemoryAdapters } from "@solar-sites/testing"
import { describe, expect, it } from "vitest"

const memory = { database: MemoryAdapters.layer, storage: MemoryAdapters.layer }
const newSite = { siteName: "Long Meadow", capacity: 1.2, unit: "MWp" } as const

type Company = NonNullable<Awaited<ReturnType<HostOrganisationFunctions["findById"]>>>

const aHost = (names: ReadonlyArray<string> = ["Sunfield Energy"]) => {
  const companies = new Map(
    names.map((name): [string, Company] => {
      const id = anOrganisationId()
      return [id, { id, name, status: "active" }]
    })
  )
  const organisations: HostOrganisationFunctions = {
    findById: async (id) => companies.get(id),
    list: ({ after, limit }) =>
      [...companies.values()]
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .filter(({ id }) => after === null || id > after)
        .slice(0, limit),
    update: async (id, changes) => {
      const company = companies.get(id)
      if (company === undefined) return null
      companies.set(id, { ...company, ...changes })
      return companies.get(id)
    }
  }
  return { companies, ids: [...companies.keys()].sort(), organisations }
}

describe("organisations of a host without Effect", () => {
  it("own sites and keys, and decide whether a key opens anything", async () => {
    const { ids, organisations } = aHost()
    await using solar = SolarSites.make({ ...memory, organisations })
    const [organisationId = ""] = ids
    const { apiKeys, sites } = solar.as({ organisationId, userId: "ada" })
    expect((await sites.create(newSite)).organisationId).toBe(organisationId)
    const { secret } = await apiKeys.create({ name: "Reporting" })
    await solar.organisations.update(organisationId, { status: "inactive" })
    await expect(solar.authenticate(secret)).rejects.toMatchObject({ code: "organisation_inactive" })
  })

  it("are listed page by page, with their names as they are", async () => {
    const { ids, organisations } = aHost([" North ", "South", "West"])
    await using solar = SolarSites.make({ ...memory, organisations })
    const first = await solar.organisations.list({ limit: 2 })
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const second = await solar.organisations.list({ limit: 2, cursor: first.nextCursor ?? "" })
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(second.nextCursor).toBe(null)
  })

  it("are absent when the host has none with an id", async () => {
    const { organisations } = aHost()
    await using solar = SolarSites.make({ ...memory, organisations })
    await expect(solar.organisations.get(anOrganisationId())).rejects.toMatchObject({ code: "organisation_not_found" })
    await expect(solar.as({ organisationId: anOrganisationId() }).sites.create(newSite)).rejects.toMatchObject({
      _tag: "OrganisationNotFound"
    })
  })

  it("are unavailable when a function rejects, and a bug when it gives no organisation", async () => {
    const { organisations } = aHost()
    const rejecting = { ...organisations, findById: () => Promise.reject(new Error("host down")) }
    await using unavailable = SolarSites.make({ ...memory, organisations: rejecting })
    const operation = "OrganisationRepository.findById"
    await expect(unavailable.organisations.get(anOrganisationId())).rejects.toMatchObject({
      operation,
      retryable: true
    })
    // As from JavaScript, which checks no types.
    const wrong = { ...organisations, findById: () => ({ id: 7 }) as never }
    await using broken = SolarSites.make({ ...memory, organisations: wrong })
    await expect(broken.organisations.get(anOrganisationId())).rejects.toMatchObject({ operation, retryable: false })
  })

  it("are created and deleted by the host alone unless it gives the functions", async () => {
    const { ids, organisations } = aHost()
    await using solar = SolarSites.make({ ...memory, organisations })
    await expect(solar.organisations.create({ name: "East" })).rejects.toThrow("the host gives no function insert")
    await expect(solar.organisations.delete(ids[0] ?? "")).rejects.toThrow("the host gives no function delete")
  })
})

describe("O&M records of a host without Effect", () => {
  const issue = async (exists: (...ids: ReadonlyArray<string>) => boolean | Promise<boolean>) => {
    await using solar = SolarSites.make({ ...memory, omRecords: { exists } })
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    const { documents, sites } = solar.as({ organisationId })
    const { id: siteId } = await sites.create(newSite)
    const files = [{ filename: "7.pdf", mimeType: "application/pdf" }]
    const issued = await documents.issueUploads({ siteId, fileType: "om-documents", omRecordId: "7", files })
    return { ids: [organisationId, siteId, "7"], issued }
  }

  it("are looked up with the organisation and the site", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const { ids, issued } = await issue((...given) => {
      asked.push(given)
      return true
    })
    expect(issued.summary.successful).toBe(1)
    expect(asked).toEqual([ids])
  })

  it("are not found, or unavailable when the look-up rejects", async () => {
    await expect(issue(async () => false)).rejects.toMatchObject({ code: "om_record_not_found" })
    await expect(issue(() => Promise.reject(new Error("down")))).rejects.toMatchObject({ code: "database_unavailable" })
  })
})

describe("users of a host without Effect", () => {
  const authenticated = async (scopesOf: HostUserFunctions["scopesOf"]) => {
    await using solar = SolarSites.make({ ...memory, users: { scopesOf } })
    const { id: organisationId } = await solar.organisations.create({ name: "Sunfield Energy" })
    const { apiKeys } = solar.as({ organisationId, userId: "ada" })
    const { secret } = await apiKeys.create({ name: "Reporting", scopes: ["sites:read", "sites:write"] })
    return { organisationId, caller: await solar.authenticate(secret) }
  }

  it("limit the keys that they created to their own scopes", async () => {
    const asked: Array<ReadonlyArray<string>> = []
    const { caller, organisationId } = await authenticated(async (...given) => {
      asked.push(given)
      return ["sites:read", "documents:read"]
    })
    expect(caller).toMatchObject({ userId: "ada", scopes: ["sites:read"] })
    expect(asked).toEqual([[organisationId, "ada"]])
    expect((await authenticated(() => "all")).caller).toMatchObject({ scopes: ["sites:read", "sites:write"] })
  })

  it("take their keys with them", async () => {
    await expect(authenticated(() => "deleted")).rejects.toMatchObject({ code: "api_key_invalid" })
  })

  it("are unavailable when the function rejects, and a bug when it returns an unknown scope", async () => {
    const operation = "ApiKeyOwners.scopesOf"
    const down = () => Promise.reject(new Error("down"))
    await expect(authenticated(down)).rejects.toMatchObject({ operation, retryable: true })
    await expect(authenticated(() => ["site:read"])).rejects.toMatchObject({ operation, retryable: false })
  })
})

it("an organisation that was read can be sent back with changes", async () => {
  await using solar = SolarSites.make(memory)
  const organisation = await solar.organisations.create({ name: "Sunfield Energy" })
  const changed = await solar.organisations.update(organisation.id, {
    ...organisation,
    ...{ id: "ignored" },
    name: "Meadow"
  })
  expect(changed).toEqual({ ...organisation, name: "Meadow" })
})
