/**
 * Members of a site that a column can hold, and how the headers of files are matched to them.
 */
import { type CapacityUnit, SiteManager, siteMembers } from "@solar-sites/core"
import { unitIn } from "./CellValues.ts"
import { maximumHeader } from "./TableLimits.ts"

/** A column with external ids or names of portfolios, in place of their ids. */
export const portfolioColumn = "portfolio"

/** Members by their path, such as `siteManager.name`, and `portfolio`. */
export const importedMembers: ReadonlyArray<string> = siteMembers.flatMap((member): ReadonlyArray<string> => {
  if (member === "siteManager") return Object.keys(SiteManager.fields).map((name) => `siteManager.${name}`)
  return member === "portfolioId" ? [portfolioColumn, member] : [member]
})

/** The column of a file that names the faults of its rows. */
export const faultColumn = "importFaults"

/**
 * Members that the service sets, and the column of faults. Columns with them are read over, so that an
 * export can be imported, and so can a file that was marked.
 */
export const readOnlyMembers = [
  ...(["id", "organisationId", "createdAt", "updatedAt", "version", "capacityKw"] as const),
  faultColumn
] as const

/** Letters and digits in lower case. A text that is too long for a header is left as it is. */
export const folded = (name: string): string =>
  name.length > maximumHeader
    ? name
    : name
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, "")

const membersByName = new Map(importedMembers.map((member) => [folded(member), member]))

export const memberNamed = (name: string): string | undefined => membersByName.get(folded(name))

/** The unit in a header such as `Capacity (kWp)` or `capacity_kwp`. */
export const unitOfCapacity = (header: string): CapacityUnit | undefined => {
  const name = folded(header)
  return name.startsWith("capacity") ? unitIn(name.slice("capacity".length)) : undefined
}

/** The unit at the end of a header of any name, such as `Leistung [kWp]`. */
export const unitAtEnd = (header: string): CapacityUnit | undefined => {
  const words = header.split(/[^\p{L}\p{N}]/u)
  const last = words.findLastIndex((word) => word !== "")
  return last > 0 ? unitIn(words[last] ?? "") : undefined
}

// Headers of other systems, for suggestions.
const synonyms: Readonly<Record<string, ReadonlyArray<string>>> = {
  siteName: ["name", "site", "title", "plant", "plantname", "asset", "anlage", "anlagenname", "standort"],
  capacity: ["power", "peakpower", "size", "installedcapacity", "dccapacity", "leistung", "nennleistung", "kwp", "kw"],
  unit: ["units", "einheit"],
  address: ["location", "street", "adresse", "anschrift"],
  latitude: ["lat", "breite", "breitengrad"],
  longitude: ["lng", "lon", "long", "laenge", "länge", "längengrad"],
  portfolio: ["portfolioname", "park", "cluster"],
  externalId: ["ref", "reference", "code", "number", "nummer", "sitecode", "siteid", "anlagennummer"],
  tags: ["labels", "keywords"],
  "siteManager.name": ["manager", "contact", "ansprechpartner"],
  "siteManager.email": ["email", "mail"],
  "siteManager.phone": ["phone", "telephone", "telefon"],
  "siteManager.company": ["company", "firma"],
  coverImageUrl: ["image", "photo", "picture"]
}

/** Number of changed letters between two short texts. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (b[j] === letter ? 0 : 1)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, replaced))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The member that a header may mean. */
export const suggestionFor = (header: string): string | undefined => {
  const name = folded(header.replace(/\([^()]*\)|\[[^[\]]*\]/g, ""))
  if (name.length === 0 || name.length > 40) return undefined
  const known = importedMembers.find((member) => synonyms[member]?.includes(name))
  return known ?? importedMembers.find((member) => distance(name, folded(member)) <= Math.min(2, name.length / 3))
}
