/**
 * A file to fill in: the members of a site by name, and one row as an example. Spreadsheets know UTF-8
 * by its byte order mark, and with a decimal comma they separate cells by semicolons.
 */
import { formatExact } from "../texts/formats.ts"

const columns = {
  siteName: "Long Meadow",
  capacity: 48.6,
  unit: "kWp",
  portfolio: "",
  externalId: "SITE-1",
  address: "1 Solar Road, Wells",
  latitude: 51.2093,
  longitude: -2.6449,
  tags: "",
  "siteManager.name": "",
  "siteManager.email": ""
} as const

export const importTemplate = (numberText = formatExact): string => {
  const delimiter = numberText(0.5).includes(",") ? ";" : ","
  const cellOf = (value: string | number): string => {
    const text = typeof value === "number" ? numberText(value) : value
    return text.includes(delimiter) ? `"${text}"` : text
  }
  return [Object.keys(columns), Object.values(columns)]
    .map((cells) => `${cells.map(cellOf).join(delimiter)}\r\n`)
    .join("")
}
