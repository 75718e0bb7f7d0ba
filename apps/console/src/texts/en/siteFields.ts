/** Labels of the fields in the form and on the page of a site. */
export const siteFieldTexts = {
  siteName: "Name",
  capacity: "Capacity",
  unit: "Unit",
  portfolioId: "Portfolio",
  externalId: "External id",
  tags: "Tags",
  address: "Address",
  latitude: "Latitude",
  longitude: "Longitude",
  siteManager: "Site manager",
  attributes: "Attributes"
}
