/**
 * The tables by TypeORM.
 */
import { isDeepStrictEqual } from "node:util"
import { DataSource, MoreThan } from "typeorm"
import { kilowattsPerUnit, siteOf } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import type { Store } from "../common/store.ts"
import { orRefuse } from "../common/violations.ts"
import { ApiKeyEntity, DocumentEntity, OrganisationEntity, PortfolioEntity, SiteEntity } from "./entities.ts"

export const openDataSource = (): Promise<DataSource> =>
  new DataSource({
    type: "postgres",
    url: settings.databaseUrl,
    schema: settings.schema,
    poolSize: settings.poolSize,
    installExtensions: false,
    entities: [ApiKeyEntity, DocumentEntity, OrganisationEntity, PortfolioEntity, SiteEntity]
  }).initialize()

export const makeStore = (source: DataSource): Store => {
  const apiKeys = source.getRepository(ApiKeyEntity)
  const sites = source.getRepository(SiteEntity)

  return {
    findKey: async (digest) => {
      const row = await apiKeys.findOne({ where: { digest }, relations: { organisation: true } })
      if (row === null) return undefined
      const { createdBy: userId, expiresAt, id: apiKeyId, organisation, organisationId } = row
      return { organisationId, apiKeyId, userId, expiresAt, status: organisation.status }
    },

    me: async ({ apiKeyId, organisationId, userId }) => {
      const row = await apiKeys.findOne({ where: { organisationId, id: apiKeyId }, relations: { organisation: true } })
      if (row === null) throw new Problem("api_key_invalid")
      const { createdAt, createdBy, expiresAt, id, lastUsedAt, name, organisation, prefix } = row
      return {
        organisation: { id: organisation.id, name: organisation.name, status: organisation.status },
        userId,
        apiKey: { id, organisationId, name, prefix, createdBy, createdAt, expiresAt, lastUsedAt }
      }
    },

    listSites: async (organisationId, { after, limit, portfolioId, siteId }) => {
      const conditions = { organisationId, ...(portfolioId === undefined ? {} : { portfolioId }) }
      const afterwards = after === undefined ? conditions : { ...conditions, id: MoreThan(after) }
      const rows = await sites.find({
        where: siteId === undefined ? afterwards : { ...conditions, id: siteId },
        order: { id: "ASC" },
        take: limit + 1
      })
      return rows.map(siteOf)
    },

    findSite: async (organisationId, id) => {
      const row = await sites.findOneBy({ organisationId, id })
      return row === null ? undefined : siteOf(row)
    },

    insertSite: async (organisationId, { at, ...members }) => {
      const times = { createdAt: at, updatedAt: at }
      const factor = kilowattsPerUnit[members.unit]
      const made = { ...members, ...times, organisationId, kilowattsPerUnit: factor, version: 1 }
      await orRefuse(sites.insert(made))
      // An insert does not return computed columns.
      return siteOf(await sites.findOneByOrFail({ organisationId, id: members.id }))
    },

    updateSite: (organisationId, id, changes, at) =>
      orRefuse(
        source.transaction(async (manager) => {
          const row = await manager.findOne(SiteEntity, {
            where: { organisationId, id },
            lock: { mode: "pessimistic_write" }
          })
          if (row === null) throw new Problem("site_not_found")
          const differs = Object.entries(changes).some(
            ([member, value]) => !isDeepStrictEqual(Reflect.get(row, member), value)
          )
          if (!differs) return siteOf(row)
          const { unit } = changes
          const factor = unit === undefined ? {} : { kilowattsPerUnit: kilowattsPerUnit[unit] }
          const next = { ...changes, ...factor, updatedAt: at, version: row.version + 1 }
          await manager.update(SiteEntity, { organisationId, id }, next)
          return siteOf(await manager.findOneByOrFail(SiteEntity, { organisationId, id }))
        })
      ),

    listWithSites: async (organisationId) => {
      const [found, totals] = await Promise.all([
        source
          .getRepository(PortfolioEntity)
          .createQueryBuilder("p")
          .leftJoinAndMapMany(
            "p.sites",
            SiteEntity,
            "s",
            "s.organisationId = p.organisationId and s.portfolioId = p.id"
          )
          .where("p.organisationId = :organisationId", { organisationId })
          .orderBy("p.id")
          .addOrderBy("s.id")
          .getMany(),
        sites
          .createQueryBuilder("s")
          .select("s.portfolioId", "portfolioId")
          .addSelect("sum(s.capacityKw)", "total")
          .where("s.organisationId = :organisationId", { organisationId })
          .groupBy("s.portfolioId")
          .getRawMany<{ portfolioId: string | null; total: string }>()
      ])
      const capacityOf = new Map(totals.map(({ portfolioId, total }) => [portfolioId, Number(total)]))
      return found.map(({ createdAt, id, name, sites: rows = [], updatedAt, version }) => {
        const [siteCount, capacityKw] = [rows.length, capacityOf.get(id) ?? 0]
        return {
          id,
          organisationId,
          name,
          siteCount,
          capacityKw,
          createdAt,
          updatedAt,
          version,
          sites: rows.map(siteOf)
        }
      })
    },

    insertDocuments: async (organisationId, { at, documents, expiresAt, siteId, uploadedBy }) => {
      const rows = documents.map((document) => ({
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
      }))
      if (rows.length > 0) await orRefuse(source.getRepository(DocumentEntity).insert(rows))
    },

    close: () => source.destroy()
  }
}
