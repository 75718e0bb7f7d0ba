/** The files by name. */
import { type CellValue, workbook } from "./workbook.ts"

const lines = (...all: ReadonlyArray<string>): string => all.map((line) => `${line}\r\n`).join("")

const germanExcel = lines(
  "sep=;",
  "Anlagen-Nr.;Standort;Leistung [kWp];Anschrift;Breitengrad;Längengrad;Bemerkung",
  "A-001;Freifläche Süd;1.234,5;Hauptstraße 1, München;48,137;11,575;Zaun prüfen",
  "A-002;Lagerhalle;99,84;;48,2;11,6;",
  ";;;;;;",
  'A-003;"Dach ""Nord""; Halle 2";2 500;Gewerbepark 7;;;"=SUMME(A1)"'
)

const withBom = `\ufeff${lines(
  "External id,Site name,Capacity,Unit,Address,Site manager: name,Site manager: email,Tags",
  'B-1,"Long Meadow",1.2,MWp,"The lane',
  'LS1 4AB",Ada Smith,ada@example.com,roof; north',
  "B-2,'=Not a formula,500,kW,'+44 Road,,,",
  'B-3,\'\'-Twice,0.5,mw,,,,"[""with, comma""]"'
)}`

const tabs = lines(
  "SITE_NAME\tcapacity_kwp\tLatitude\tLONGITUDE\texternalID",
  "West field\t1,5\t51,501\t-1,25\tC-1",
  "East field\t1.000.000\t51.501\t-0.125\tC-2"
)

const faults = lines(
  "externalId,siteName,capacity,unit,latitude,portfolioId",
  "D-1,Good,1,kW,1,",
  "D-2,Wrong unit,1,hp,1,",
  "D-3,,1,kW,1,",
  'D-4,Ambiguous,"1,234",kW,1,',
  "D-5,Far away,1,kW,95,",
  "D-1,Repeated,1,kW,1,",
  "D-6,Two faults,-1,kW,many,",
  "D-7,No portfolio,1,kW,1,North",
  "D-8,Extra,1,kW,1,,,more"
)

const cells: ReadonlyArray<ReadonlyArray<CellValue>> = [
  [
    "External ID",
    "Site name",
    "Capacity",
    "Unit",
    "Latitude",
    "attributes.commissioned",
    "attributes.inverters",
    "Notes"
  ],
  [],
  [1001, "Hall & Sons", 12.5, "kWp", "51,5", { days: 45_000 }, 3, "left out"],
  ["1002", "Barn <2>", "2.500,75", "KWP", null, null, true, null],
  [],
  ["1003", "Car port", 1e-3, "GWp", -33.9, { days: 45_000.5 }, "none", null]
]

/** Windows-1252 and Latin 1 agree on these texts. */
export const files: Readonly<Record<string, Uint8Array>> = {
  "german-excel.csv": Buffer.from(germanExcel, "latin1"),
  "with-bom.csv": Buffer.from(withBom),
  "tabs.tsv": Buffer.from(tabs),
  "workbook.xlsx": workbook(cells, { merged: "A5:H5" }),
  "faults.csv": Buffer.from(faults)
}
