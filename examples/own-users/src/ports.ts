/**
 * The two ports through which Solar Sites asks the host: who is an organisation,
 * and which O&M record belongs to a site.
 */
import { OmRecordDirectory, Organisation, OrganisationId, OrganisationRepository } from "@solar-sites/core"
import { Effect, Layer, Option } from "effect"
import { type Company, companies, omRecords } from "./crm.ts"

const toOrganisation = ({ active, id, name }: Company) =>
  new Organisation({ id: OrganisationId.make(id), name, status: active ? "active" : "inactive" })

/** Companies are founded and renamed in the host; Solar Sites may switch one off. */
export const Companies = Layer.succeed(OrganisationRepository, {
  findById: (id) => Effect.sync(() => Option.map(Option.fromUndefinedOr(companies.get(id)), toOrganisation)),
  list: ({ after, limit }) =>
    Effect.sync(() => {
      const sorted = [...companies.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
      const rest = sorted.filter(({ id }) => after === null || id > after)
      return { items: rest.slice(0, limit).map(toOrganisation), hasMore: rest.length > limit }
    }),
  update: (id, { status }) =>
    Effect.sync(() => {
      const company = companies.get(id)
      if (company === undefined) return Option.none()
      if (status !== undefined) company.active = status === "active"
      return Option.some(toOrganisation(company))
    }),
  insert: () => Effect.die(new Error("Companies are founded in the host.")),
  delete: (id) =>
    Effect.sync(() => {
      companies.delete(id)
      return true
    })
})

export const OmRecords = Layer.succeed(OmRecordDirectory, {
  exists: (organisationId, siteId, omRecordId) =>
    Effect.sync(() => {
      const record = omRecords.get(omRecordId)
      return record?.companyId === organisationId && record.siteId === siteId
    })
})
