/**
 * The tables by Sequelize.
 */
import { col, fn, type InferAttributes, Op } from "sequelize"
import { kilowattsPerUnit, siteOf } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import type { Store } from "../common/store.ts"
import { orRefuse } from "../common/violations.ts"
import { ApiKey, Document, Organisation, Portfolio, Site, sequelize } from "./models.ts"

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
    const { createdBy: userId, expiresAt, id: apiKeyId, organisation, organisationId } = row
    return { organisationId, apiKeyId, userId, expiresAt, status: organisation?.status ?? "" }
  },

  me: async ({ apiKeyId, organisationId, userId }) => {
    const row = await ApiKey.findOne({
      where: { organisationId, id: apiKeyId },
      include: [{ model: Organisation, as: "organisation" }],
      ...raw
    })
    if (row?.organisation === undefined) throw new Problem("api_key_invalid")
    const { createdAt, createdBy, expiresAt, id, lastUsedAt, name, organisation, prefix } = row
    const apiKey = { id, organisationId, name, prefix, createdBy, createdAt, expiresAt, lastUsedAt }
    return { organisation, userId, apiKey }
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
    return rows.map(siteOf)
  },

  findSite: async (organisationId, id) => {
    const row = await Site.findOne({ where: { organisationId, id }, ...raw })
    return row === null ? undefined : siteOf(row)
  },

  insertSite: async (organisationId, { at, ...members }) => {
    const factor = kilowattsPerUnit[members.unit]
    const times = { createdAt: at, updatedAt: at }
    const row = await orRefuse(
      Site.create({ ...members, ...times, organisationId, kilowattsPerUnit: factor, version: 1 }, { returning: true })
    )
    return siteOf(row.get())
  },

  updateSite: (organisationId, id, changes, at) =>
    orRefuse(
      sequelize.transaction(async (transaction) => {
        const row = await Site.findOne({ where: { organisationId, id }, transaction, lock: transaction.LOCK.UPDATE })
        if (row === null) throw new Problem("site_not_found")
        const { capacity, ...others } = changes
        row.set(others)
        if (capacity !== undefined && capacity !== Number(row.capacity)) row.capacity = capacity
        if (changes.unit !== undefined) row.kilowattsPerUnit = kilowattsPerUnit[changes.unit]
        if (row.changed() === false) return siteOf(row.get())
        row.set({ updatedAt: at, version: row.version + 1 })
        await row.save({ transaction, returning: true })
        return siteOf(row.get())
      })
    ),

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
    const capacityOf = new Map(totals.map(({ capacityKw, portfolioId }) => [portfolioId, Number(capacityKw)]))
    return found.map(({ createdAt, id, name, sites = [], updatedAt, version }) => {
      const [siteCount, capacityKw] = [sites.length, capacityOf.get(id) ?? 0]
      const rows = sites.map((site) => siteOf(site.get()))
      return { id, organisationId, name, siteCount, capacityKw, createdAt, updatedAt, version, sites: rows }
    })
  },

  insertDocuments: async (organisationId, { at, documents, expiresAt, siteId, uploadedBy }) => {
    const rows = documents.map(
      (document): InferAttributes<Document> => ({
        ...document,
        organisationId,
        siteId,
        status: "pending",
        declaredBytes: document.sizeBytes,
        uploadedBy,
        createdAt: at,
        updatedAt: at,
        version: 1,
        addressExpiresAt: expiresAt,
        lookAt: expiresAt
      })
    )
    await orRefuse(Document.bulkCreate(rows, { returning: false }))
  },

  close: () => sequelize.close()
})
