import { randomBytes } from "node:crypto"
import { OrganisationId } from "@solar-sites/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { domainOf, isDomain } from "../../../src/accounts/identity/LoginDomains.ts"
import { run } from "../../CommandInProcess.ts"
import { ownSchemas, withoutPostgres } from "../../ExternalDatabase.ts"
import { operator } from "../../Operator.ts"

const newDomain = () => `${randomBytes(6).toString("hex")}.example.com`

describe.skipIf(withoutPostgres)("domains of organisations", () => {
  const schemas = ownSchemas()
  let people: ReturnType<typeof operator>

  beforeAll(() => {
    people = operator(schemas.next(), "apply")
  })

  afterAll(async () => {
    await people.close()
    await schemas.drop()
  })

  const outcome = (set: Promise<ReadonlyArray<string>>) =>
    set.catch((error: unknown) => (error instanceof Error && "_tag" in error ? error._tag : error))

  it("are replaced as a whole, sorted and without repetitions", async () => {
    const organisation = await people.createOrganisation()
    const [first, second, third] = [newDomain(), newDomain(), newDomain()].toSorted()
    if (first === undefined || second === undefined || third === undefined) throw new Error("three domains")
    expect(await people.setLoginDomains(organisation, second, first, second)).toEqual([first, second])
    expect(await people.setLoginDomains(organisation, third, second)).toEqual([second, third])
    const other = await people.createOrganisation()
    expect(await people.setLoginDomains(other, first)).toEqual([first])
    expect(await people.setLoginDomains(organisation)).toEqual([])
    expect(await people.setLoginDomains(other, second, third)).toEqual([second, third])
  })

  it("belong to one organisation: a second claim changes nothing", async () => {
    const [one, other] = [await people.createOrganisation(), await people.createOrganisation()]
    const [domain, own] = [newDomain(), newDomain()]
    await people.setLoginDomains(one, domain)
    await people.setLoginDomains(other, own)
    expect(await outcome(people.setLoginDomains(other, domain, newDomain()))).toBe("DomainTaken")
    expect(await outcome(people.setLoginDomains(one, own))).toBe("DomainTaken")
    expect(await people.setLoginDomains(one, domain)).toEqual([domain])
    const unknown = OrganisationId.make(crypto.randomUUID())
    expect(await outcome(people.setLoginDomains(unknown, newDomain()))).toBe("OrganisationNotFound")
  })

  it("go to one of several organisations that claim them at once", async () => {
    const organisations = await Promise.all(Array.from({ length: 4 }, people.createOrganisation))
    for (let round = 0; round < 10; round++) {
      const domain = newDomain()
      const claims = organisations.map((organisation) => outcome(people.setLoginDomains(organisation, domain)))
      const outcomes = await Promise.all(claims)
      expect(outcomes.filter((claimed) => Array.isArray(claimed)).length).toBe(1)
      expect(outcomes.filter((claimed) => claimed === "DomainTaken").length).toBe(3)
    }
  })
})

describe("a domain", () => {
  it("is taken from an address or a setting, in one form", () => {
    for (const [text, domain] of [
      ["ada@Example.COM", "example.com"],
      [" example.com ", "example.com"],
      ["ada@bücher.example", "xn--bcher-kva.example"],
      ['"a@b"@example.com', "example.com"]
    ] as const) {
      expect([text, domainOf(text), isDomain(domainOf(text))]).toEqual([text, domain, true])
    }
  })

  it("is refused by the command if it is none", async () => {
    for (const text of ["localhost", "exa mple.com", "example..com", "*.example.com", "127.0.0.1", "-a.example.com"]) {
      expect([text, isDomain(domainOf(text))]).toEqual([text, false])
    }
    const args = ["organisations", "set-login-domains", crypto.randomUUID(), "--domains", "example.com,localhost"]
    const { code, stderr } = await run(args)
    expect(code).toBe(1)
    expect(stderr).toContain("--domains must be domains with commas between them")
  })
})
