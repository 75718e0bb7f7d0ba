/**
 * The data of the host that Solar Sites asks for: organisations, and O&M records of a site.
 */
import type { HostOmRecordFunctions, HostOrganisationFunctions } from "@solar-sites/core"
import { type Company, companies, omRecords } from "./crm.ts"

const toOrganisation = ({ active, id, name }: Company) => ({
  id,
  name,
  status: active ? ("active" as const) : ("inactive" as const)
})

/** The host creates and renames companies; Solar Sites can change their status. */
export const companiesForSolarSites: HostOrganisationFunctions = {
  findById: (id) => {
    const company = companies.get(id)
    return company && toOrganisation(company)
  },
  list: ({ after, limit }) =>
    [...companies.values()]
      .filter(({ id }) => after === null || id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(toOrganisation),
  update: (id, { status }) => {
    const company = companies.get(id)
    if (company === undefined) return null
    if (status !== undefined) company.active = status === "active"
    return toOrganisation(company)
  }
}

export const omRecordsForSolarSites: HostOmRecordFunctions = {
  exists: (organisationId, siteId, omRecordId) => {
    const record = omRecords.get(omRecordId)
    return record?.companyId === organisationId && record.siteId === siteId
  }
}
