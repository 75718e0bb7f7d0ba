/**
 * A file to fill in: the members of a site by name, and one row as an example. Spreadsheets know UTF-8
 * by its byte order mark.
 */
const columns = {
  siteName: "Long Meadow",
  capacity: "48.6",
  unit: "kWp",
  portfolio: "",
  externalId: "SITE-1",
  address: "1 Solar Road, Wells",
  latitude: "51.2093",
  longitude: "-2.6449",
  tags: "",
  "siteManager.name": "",
  "siteManager.email": ""
} as const

const cellOf = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const importTemplate: string = [Object.keys(columns), Object.values(columns)]
  .map((cells) => `${cells.map(cellOf).join(",")}\r\n`)
  .join("")
