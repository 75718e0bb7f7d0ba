/** Small files that took minutes or gigabytes to read when their texts had no limits. */
import { archive } from "../../../../examples/imports/src/workbook.ts"

const relations = '<R><Relationship Id="a" Target="/xl/s.xml"/></R>'

/** A workbook with this sheet. */
export const sheetOf = (xml: string, strings = "", formats = ""): Buffer =>
  archive([
    { name: "xl/workbook.xml", text: '<x:workbook xmlns:x="x"><x:sheet r:id="a"/></x:workbook>' },
    { name: "xl/_rels/workbook.xml.rels", text: relations },
    { name: "xl/sharedStrings.xml", text: `<sst>${strings}</sst>` },
    { name: "xl/styles.xml", text: `<s>${formats}</s>` },
    { name: "xl/s.xml", text: xml }
  ])

const row = (cell: string) => `<w><row r="1">${cell}</row></w>`

/** Combining marks in falling order of their classes, the worst case of a normalisation. */
const marks = (count: number): string => "\u0315\u0300".repeat(count / 2)

export const attacks: Readonly<Record<string, () => string | Uint8Array>> = {
  "a reference of 300,000 digits": () => sheetOf(row(`<c r="A${"1".repeat(300_000)}x"><v>1</v></c>`)),
  "elements nested in 128 MiB": () => sheetOf("<a>".repeat((128 * 1_048_576) / 3 - 1)),
  "a header of 80,000 brackets": () => `siteName,capacity,unit,${"(".repeat(80_000)}\nA,1,kW,\n`,
  "a format of 300,000 brackets": () =>
    sheetOf(
      row('<c s="0"><v>1</v></c>'),
      "",
      `<numFmt numFmtId="164" formatCode="${"[".repeat(300_000)}"/><cellXfs><xf numFmtId="164"/></cellXfs>`
    ),
  "a cell of a million marks": () => `siteName,capacity,unit,externalId\nA,1,kW,${marks(1_000_000)}\n`,
  "a shared text of a million marks": () =>
    sheetOf(
      '<w><row r="1"><c t="str"><v>siteName</v></c></row><row r="2"><c t="s"><v>0</v></c></row></w>',
      `<si><t>${marks(300_000)}</t></si>`
    )
}
