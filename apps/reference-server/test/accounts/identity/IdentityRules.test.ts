import { OrganisationId, UserId } from "@solar-sites/core"
import { Option } from "effect"
import { describe, expect, it } from "vitest"
import { addressOf, decide } from "../../../src/accounts/identity/IdentityRules.ts"

const organisationId = OrganisationId.make("0190a5c0-0000-7000-8000-000000000000")
const user = { id: UserId.make("ada"), organisationId, email: "Ada@example.com", role: "member" as const }
const known = { user, passwordVersion: 1, organisationStatus: "active" as const }
const inactive = { ...known, organisationStatus: "inactive" as const }
const same = { ...known, isAllowed: true, isLinked: false }
const address = { email: "ada@example.com", domain: "example.com" }
const nothing = { identity: null, sameEmail: null, organisationOfDomain: null }

describe("an identity of a provider", () => {
  it.each([
    ["of a user opens its account", { ...nothing, identity: { known } }, "open"],
    ["of a user of an inactive organisation is refused", { ...nothing, identity: { known: inactive } }, "refuse"],
    ["of a deleted user is refused", { ...nothing, identity: { known: null } }, "refuse"],
    [
      "of a deleted user is refused in an organisation with the domain",
      { ...nothing, identity: { known: null }, organisationOfDomain: organisationId },
      "refuse"
    ],
    ["of a deleted user is linked to a new one", { ...nothing, identity: { known: null }, sameEmail: same }, "link"],
    ["is linked to the user with the address", { ...nothing, sameEmail: same }, "link"],
    ["is not linked without the domain", { ...nothing, sameEmail: { ...same, isAllowed: false } }, "refuse"],
    ["is not linked to a user with another one", { ...nothing, sameEmail: { ...same, isLinked: true } }, "refuse"],
    ["is not linked in an inactive organisation", { ...nothing, sameEmail: { ...same, ...inactive } }, "refuse"],
    [
      "is not linked to a similar address",
      { ...nothing, sameEmail: { ...same, user: { ...user, email: "\u212Aada@example.com" } } },
      "refuse"
    ],
    ["joins the organisation of the domain", { ...nothing, organisationOfDomain: organisationId }, "create"],
    ["without an organisation is refused", nothing, "refuse"]
  ])("%s", (_, found, to) => {
    expect(decide(found, address).to).toBe(to)
  })

  it("without a verified address opens a known account only", () => {
    expect(decide({ ...nothing, identity: { known } }, undefined).to).toBe("open")
    expect(decide({ ...nothing, sameEmail: same, organisationOfDomain: organisationId }, undefined).to).toBe("refuse")
  })

  it("has an address in its plain form, with its domain", () => {
    const addressIn = (email: string) =>
      addressOf({
        issuer: "i",
        subject: "s",
        email: Option.some(email),
        name: Option.none(),
        role: Option.none(),
        portfolios: Option.none()
      })
    expect(addressIn("Ada@Example.com")).toEqual({ email: "Ada@Example.com", domain: "example.com" })
    for (const email of [
      "\u212Aim@example.com",
      "ada@\uFF45xample.com",
      " ada@example.com",
      "ada",
      "a@b@c",
      "ada@\0"
    ]) {
      expect([email, addressIn(email)]).toEqual([email, undefined])
    }
  })
})
