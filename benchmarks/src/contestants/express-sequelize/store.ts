/**
 * The tables by Sequelize.
 */
import { col, fn, Op } from "sequelize"
import { allScopes } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { type Store, siteOf } from "../limit/site.ts"
import { insertDocuments, insertSite, updateSite } from "./changes.ts"
import { ApiKey, Organisation, Portfolio, plain, Site, sequelize } from "./models.ts"

/** Rows that are only read are not made models. */
const raw = { raw: true, nest: true } as const

export const makeStore = (): Store => ({
  findKey: async (digest) => {
    const row = await ApiKey.findOne({
      where: { digest },
      include: [{ model: Organisation, as: "organisation" }],
      ...raw
    })
    if (row === null) return undefined
    const { createdBy: userId, expiresAt, id: apiKeyId, organisation, organisationId, prefix: keyPrefix } = row
    return { organisationId, apiKeyId, keyPrefix, userId, expiresAt, status: organisation?.status ?? "" }
  },

  me: async ({ apiKeyId, organisationId, userId }) => {
    const row = await ApiKey.findOne({
      where: { organisationId, id: apiKeyId },
      include: [{ model: Organisation, as: "organisation" }],
      ...raw
    })
    if (row?.organisation === undefined) throw new Problem("api_key_invalid")
    const { createdAt, createdBy, expiresAt, id, lastUsedAt, name, organisation, portfolioIds, prefix } = row
    const scopes = row.scopes ?? allScopes
    const apiKey = {
      id,
      organisationId,
      name,
      prefix,
      createdBy,
      createdAt,
      expiresAt,
      lastUsedAt,
      scopes,
      portfolioIds
    }
    return { organisation, userId, apiKey, scopes, portfolioIds }
  },

  listSites: async (organisationId, { after, limit, portfolioId, siteId }) => {
    const rows = await Site.findAll({
      where: {
        organisationId,
        ...(portfolioId === undefined ? {} : { portfolioId }),
        ...(siteId === undefined && after === undefined
          ? {}
          : { id: { ...(siteId && { [Op.eq]: siteId }), ...(after && { [Op.gt]: after }) } })
      },
      order: [["id", "ASC"]],
      limit: limit + 1,
      ...raw
    })
    return plain(rows).map(siteOf)
  },

  findSite: async (organisationId, id) => {
    const [row] = plain(await Site.findAll({ where: { organisationId, id }, ...raw }))
    return row && siteOf(row)
  },

  listWithSites: async (organisationId) => {
    const [found, totals] = await Promise.all([
      Portfolio.findAll({
        where: { organisationId },
        include: [{ model: Site, as: "sites", where: { organisationId }, required: false }],
        order: [
          ["id", "ASC"],
          ["sites", "id", "ASC"]
        ]
      }),
      Site.findAll({
        where: { organisationId },
        attributes: ["portfolioId", [fn("sum", col("capacity_kw")), "capacityKw"]],
        group: ["portfolioId"],
        ...raw
      })
    ])
    const capacityOf = new Map(plain(totals).map(({ capacityKw, portfolioId }) => [portfolioId, Number(capacityKw)]))
    return found.map(({ createdAt, externalId, id, name, sites = [], updatedAt, version }) => {
      const [siteCount, capacityKw] = [sites.length, capacityOf.get(id) ?? 0]
      const rows = sites.map((site) => siteOf(site.get()))
      const times = { createdAt, updatedAt, version }
      return { id, organisationId, name, siteCount, capacityKw, ...times, externalId, sites: rows }
    })
  },

  insertSite,
  updateSite,
  insertDocuments,

  close: () => sequelize.close()
})
