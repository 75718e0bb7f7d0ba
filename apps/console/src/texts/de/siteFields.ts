/** Labels of the fields in the form and on the page of a site. */
import type * as english from "../en/siteFields.ts"
import type { Translated } from "../Translated.ts"

export const siteFieldTexts: Translated<typeof english.siteFieldTexts> = {
  siteName: "Name",
  capacity: "Leistung",
  unit: "Einheit",
  portfolioId: "Portfolio",
  externalId: "Externe ID",
  tags: "Schlagwörter",
  address: "Adresse",
  latitude: "Breitengrad",
  longitude: "Längengrad",
  siteManager: "Standortleitung",
  attributes: "Attribute"
}
