/** Coverage of required documents. */
import type * as english from "../en/coverage.ts"
import { formatNumber } from "../formats.ts"
import type { Translated } from "../Translated.ts"

const sitesOf = (count: number): string => (count === 1 ? "1 Standort" : `${formatNumber(count)} Standorte`)

export const coverageTexts: Translated<typeof english.coverageTexts> = {
  title: "Vollständigkeit",
  description: "Die Dokumente, die jeder Standort haben muss.",
  matrix: "Pflichtdokumente je Standort",
  site: "Standort",
  complete: (complete, count) =>
    `${formatNumber(complete)} von ${count === 1 ? "1 Standort" : `${formatNumber(count)} Standorten`} vollständig`,
  stateFilter: "Status",
  typeFilter: "Dokumentart",
  asOf: "Stand",
  otherDay: "Anderer Tag …",
  legend: "Legende",
  notRequired: "Nicht gefordert",
  countOf: (documentType, state, count) => `${documentType}, ${state}: ${sitesOf(count)}`,
  until: (day) => `bis ${day}`,
  cell: (site, documentType) => `${site}, ${documentType}: `,
  upload: "Hochladen",
  noneFound: "Dazu passt kein Standort",
  showAll: "Filter zurücksetzen",
  noRequirements: "Es sind keine Dokumente gefordert",
  noRequirementsHint:
    "Die Anforderungen nennen die Dokumente, die jeder Standort oder jeder Standort eines Portfolios haben muss. Diese Seite zeigt dann, welche fehlen, abgelaufen sind oder bald ablaufen.",
  requirements: "Dokumentanforderungen"
}
