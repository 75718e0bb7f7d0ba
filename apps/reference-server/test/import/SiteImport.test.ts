import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { files } from "../../../../examples/imports/src/files.ts"
import type { Mapping } from "../../src/import/Columns.ts"
import { makeImporting } from "./Importing.ts"

const mapped = (targets: Readonly<Record<string, string | null>>): ReadonlyArray<Mapping> =>
  Object.entries(targets).map(([column, target]) => ({ column, target }))

const german = mapped({
  "anlagen nr": "externalId",
  Standort: "siteName",
  "Leistung [kWp]": "capacity",
  Anschrift: "address",
  Breitengrad: "latitude",
  Längengrad: "longitude",
  Bemerkung: "attributes.Bemerkung"
})

describe("an import of sites", () => {
  let importing: Awaited<ReturnType<typeof makeImporting>>
  beforeAll(async () => {
    importing = await makeImporting()
  })
  afterAll(() => importing.close())

  const into = async () => {
    const organisation = await importing.join()
    return { ...organisation, load: organisation.importWith() }
  }
  const counts = (created: number, updated = 0, unchanged = 0) => ({ created, updated, unchanged, faultCount: 0 })

  it("reads the export of a German spreadsheet", async () => {
    const { load, sites } = await into()
    expect(await load(files["german-excel.csv"] ?? "", { mappings: german })).toMatchObject(counts(3))
    expect(await sites()).toMatchObject([
      {
        externalId: "A-001",
        siteName: "Freifläche Süd",
        capacity: 1234.5,
        unit: "kWp",
        address: "Hauptstraße 1, München",
        latitude: 48.137,
        longitude: 11.575,
        attributes: { Bemerkung: "Zaun prüfen" }
      },
      { externalId: "A-002", capacity: 99.84, address: null, attributes: {} },
      { siteName: 'Dach "Nord"; Halle 2', capacity: 2_500, attributes: { Bemerkung: "=SUMME(A1)" } }
    ])
  })

  it("reads quoted line ends, guarded texts and tags", async () => {
    const { load, sites } = await into()
    expect(await load(files["with-bom.csv"] ?? "")).toMatchObject(counts(3))
    const siteManager = { name: "Ada Smith", email: "ada@example.com", phone: null, company: null, userId: null }
    expect(await sites()).toMatchObject([
      { siteName: "Long Meadow", address: "The lane\nLS1 4AB", siteManager, tags: ["roof", "north"] },
      { siteName: "=Not a formula", address: "+44 Road", siteManager: null, tags: [] },
      { siteName: "'-Twice", unit: "MW", tags: ["with, comma"] }
    ])
  })

  it("reads tabs, and units in headers", async () => {
    const { load, sites } = await into()
    expect(await load(files["tabs.tsv"] ?? "")).toMatchObject(counts(2))
    expect(await sites()).toMatchObject([
      { siteName: "West field", capacity: 1.5, unit: "kWp", latitude: 51.501, longitude: -1.25, externalId: "C-1" },
      { siteName: "East field", capacity: 1_000_000, latitude: 51.501, longitude: -0.125 }
    ])
    const headers = ["Capacity kW", "capacityKw", "CAPACITY_KW", "Capacity [kW]"]
    for (const header of headers) expect(await load(`siteName,${header}\nA,1`)).toMatchObject(counts(1))
  })

  it("reads a workbook with numbers as text, dates and empty rows", async () => {
    const { load, sites } = await into()
    expect(await load(files["workbook.xlsx"] ?? "", { mappings: mapped({ Notes: null }) })).toMatchObject(counts(3))
    expect(await sites()).toMatchObject([
      { externalId: "1001", latitude: 51.5, attributes: { commissioned: "2023-03-15", inverters: 3 } },
      { externalId: "1002", siteName: "Barn <2>", capacity: 2500.75, unit: "kWp", attributes: { inverters: true } },
      { capacity: 0.001, unit: "GWp", attributes: { commissioned: "2023-03-15T12:00:00", inverters: "none" } }
    ])
  })

  it("names row, column and code of all faults, and stores nothing", async () => {
    const { load, sites } = await into()
    const result = await load(files["faults.csv"] ?? "")
    expect(result).toMatchObject({ created: 0, updated: 0, unchanged: 0, faultCount: 9, dryRun: false })
    expect(result.faults.map(({ code, column, row }) => [row, column, code])).toEqual([
      [3, "unit", "invalid_value"],
      [4, "siteName", "required"],
      [5, "capacity", "ambiguous_number"],
      [6, "latitude", "out_of_range"],
      [7, "externalId", "duplicate"],
      [8, "latitude", "invalid_number"],
      [8, "capacity", "out_of_range"],
      [9, "portfolioId", "invalid_uuid"],
      [10, null, "extra_cell"]
    ])
    expect(await sites()).toEqual([])
    // The header has the unit, so a capacity that cannot be read is one fault.
    const { faults } = await load("siteName,Capacity (kWp)\nA,many\nB,\nC,1")
    expect(faults.map(({ code, row }) => [row, code])).toEqual([
      [2, "invalid_number"],
      [3, "required"]
    ])
  })

  it("names the faults of the header alone", async () => {
    const { load } = await into()
    const faultsOf = async (content: string, mappings: ReadonlyArray<Mapping> = []) =>
      (await load(content, { mappings })).faults.map(({ column, code }) => [column, code])
    expect(await faultsOf("Name,Site name,Site_Name,capacity,unit,Colour\n,,,,,")).toEqual([
      ["Name", "unknown_column"],
      ["Colour", "unknown_column"],
      ["Site_Name", "duplicate_column"]
    ])
    expect(await faultsOf("siteName,latitude\nA,1")).toEqual([
      [null, "missing_column"],
      [null, "missing_column"]
    ])
    expect(await faultsOf("siteName,capacity,unit\nA,1,kW", mapped({ Notes: null }))).toEqual([
      ["Notes", "missing_column"]
    ])
    expect(await faultsOf("")).toEqual([[null, "empty_file"]])
    const [fault] = (await load("Site name,capacity,unit,Lat\nA,1,kW,1")).faults
    expect(fault?.detail).toContain("did you mean latitude")
  })

  it("tells cells that cannot be meant", async () => {
    const { load } = await into()
    const codeOf = async (content: string) => (await load(content)).faults.map(({ column, code }) => [column, code])
    expect(await codeOf("id,siteName,capacity,unit\n17,A,1,kW")).toEqual([["id", "unknown_id"]])
    expect(await codeOf("siteName,capacity (kW),unit\nA,1,MW")).toEqual([["capacity (kW)", "conflicting_unit"]])
    expect(await codeOf("siteName,capacity (kW)\nA,")).toEqual([["capacity (kW)", "required"]])
    expect(await codeOf("siteName,capacity,unit,attributes\nA,1,kW,[]")).toEqual([["attributes", "invalid_json"]])
  })

  it("keeps the first thousand faults and counts all", async () => {
    const { load } = await into()
    const result = await load(`siteName,capacity,unit\n${"A,0,kW\n".repeat(2_500)}`)
    expect([result.faultCount, result.faults.length, result.faults.at(-1)?.row]).toEqual([2_500, 1_000, 1_001])
  })

  it("counts in a dry run, and stores nothing", async () => {
    const { load, sites } = await into()
    expect(await load(files["tabs.tsv"] ?? "", { dryRun: true })).toMatchObject({ ...counts(2), dryRun: true })
    expect(await sites()).toEqual([])
  })

  it("has empty attributes for names of every object", async () => {
    const { load, sites } = await into()
    const content = "siteName,capacity,unit,attributes.__proto__,attributes.toString\nA,1,kW,x,"
    expect(await load(content)).toMatchObject(counts(1))
    const [site] = await sites()
    expect(Object.entries(site?.attributes ?? {})).toEqual([["__proto__", "x"]])
  })
})
