/** The company profile: its tabs and its overview. */
export const companyTexts = {
  title: "Company profile",
  tabs: "Tabs of the company profile",
  overview: "Overview",
  details: "Organisation",
  name: "Name",
  id: "Id"
}
