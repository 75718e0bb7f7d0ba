import { describe, expect, it } from "vitest"
import { attributeFault, attributeFieldsOf, attributesOf } from "../../src/sites/AttributeFields.ts"
import { numberFault, understoodAs } from "../../src/sites/numberFault.ts"
import { changesBetween, emptyFields, fieldAt, newSite } from "../../src/sites/SiteFields.ts"

describe("the fields of a site", () => {
  const fields = { ...emptyFields, siteName: "Long Meadow", capacity: "48.6", latitude: "51.1" }

  it("become the body of a new site, with null for empty fields", () => {
    expect(newSite(fields)).toEqual({
      siteName: "Long Meadow",
      address: null,
      capacity: 48.6,
      unit: "kWp",
      latitude: 51.1,
      longitude: null,
      portfolioId: null,
      externalId: null,
      tags: [],
      siteManager: null,
      attributes: {}
    })
  })

  it("send changed members only, a site manager as a whole with the user id of the host", () => {
    expect(changesBetween(fields, fields, null)).toEqual({})
    expect(changesBetween(fields, { ...fields, latitude: "" }, null)).toEqual({ latitude: null })
    const siteManager = { ...emptyFields.siteManager, name: "Ada" }
    expect(changesBetween(fields, { ...fields, siteManager }, "user-7")).toEqual({
      siteManager: { name: "Ada", email: null, phone: null, company: null, userId: "user-7" }
    })
  })

  it("show what is understood of a number while it is typed", () => {
    expect(understoodAs("1234", "kWp")).toBe("= 1,234 kWp")
    expect(understoodAs("1.234,5", "kWp")).toBe("= 1,234.5 kWp")
    expect(understoodAs("1,234", "kWp")).toContain("This can be")
    expect(understoodAs("", "kWp")).toBeUndefined()
    expect(numberFault("")).toBeNull()
    expect(numberFault("12 kWp")).toContain("Enter a number")
    // A latitude has no thousands.
    expect(numberFault("51.123", 90)).toBeNull()
    expect(newSite({ ...fields, latitude: "51.123" }).latitude).toBe(51.123)
  })

  it("leave an empty capacity for the server to refuse", () => {
    expect(JSON.parse(JSON.stringify(newSite({ ...fields, capacity: "" })))).toMatchObject({ capacity: null })
  })

  it("are found by the pointer of a fault", () => {
    expect(
      ["/siteName", "/siteManager/email", "/tags/3", "/attributes/Roof pitch", "/elsewhere", ""].map(fieldAt)
    ).toEqual(["siteName", "siteManager.email", "tags", "attributes", undefined, undefined])
  })

  it("keep attributes with the types of their values", () => {
    const attributes = { pitch: 12.5, roof: "flat", shaded: false, checked: null }
    const rows = attributeFieldsOf(attributes)
    expect(attributesOf(rows)).toEqual(attributes)
    expect(attributeFault(rows)).toBeNull()
    expect(attributeFault([...rows, { name: "roof", kind: "text", value: "steep" }])).toContain("“roof” occurs twice")
    const pitch = (value: string) => attributeFault([{ name: "pitch", kind: "number", value }])
    expect(pitch("steep")).toContain("“pitch”: Enter a number such as 1234.5")
    expect(pitch("")).toContain("Enter a number")
    expect(pitch("1.234")).toContain("This can be 1.234 or 1,234: write 1.2340 or 1234")
    expect(pitch("1,5")).toBeNull()
  })
})
