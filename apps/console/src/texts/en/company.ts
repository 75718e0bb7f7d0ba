/** The company profile: its tabs and its overview. */
import { formatNumber } from "../formats.ts"

const maximumCounted = 1_000_000

export const companyTexts = {
  title: "Company profile",
  tabs: "Tabs of the company profile",
  overview: "Overview",
  details: "Organisation",
  name: "Name",
  id: "Id",
  status: "Status",
  statusOf: (status: string) => (status === "active" ? "Active" : "Inactive"),
  rename: "Rename …",
  renameDialog: {
    title: "Rename the organisation",
    submit: "Rename",
    done: (name: string) => `The organisation is called ${name} now.`
  },
  use: "Use",
  count: (count: number) => (count > maximumCounted ? `over ${formatNumber(maximumCounted)}` : formatNumber(count)),
  documents: "Documents",
  bytes: "Stored files",
  measured: (documents: number) => `of the first ${formatNumber(documents)} documents`,
  api: "API and limits",
  baseAddress: "Base address",
  reference: "API reference",
  openReference: "Open the reference",
  requests: "Requests",
  requestsOf: (perMinute: number | null) =>
    perMinute === null ? "No limit" : `${formatNumber(perMinute)} per minute and API key`,
  file: "Size of a file",
  cover: "Size of a cover image",
  upTo: (size: string) => `Up to ${size}`
}
