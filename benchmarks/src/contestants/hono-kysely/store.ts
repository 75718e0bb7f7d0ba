/**
 * The tables by Kysely over pg.
 */
import { Kysely, PostgresDialect, sql } from "kysely"
import pg from "pg"
import { kilowattsPerUnit, type SiteMembers, siteOf } from "../common/model.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import type { Store } from "../common/store.ts"
import { orRefuse } from "../common/violations.ts"
import type { Tables } from "./tables.ts"

const siteColumns = [
  "site.id",
  "site.organisation_id as organisationId",
  "site.site_name as siteName",
  "site.capacity",
  "site.unit",
  "site.address",
  "site.latitude",
  "site.longitude",
  "site.portfolio_id as portfolioId",
  "site.site_manager as siteManager",
  "site.cover_image_url as coverImageUrl",
  "site.capacity_kw as capacityKw",
  "site.created_at as createdAt",
  "site.updated_at as updatedAt",
  "site.version"
] as const

const keyColumns = [
  "api_key.id",
  "api_key.organisation_id as organisationId",
  "api_key.name",
  "api_key.prefix",
  "api_key.created_by as createdBy",
  "api_key.created_at as createdAt",
  "api_key.expires_at as expiresAt",
  "api_key.last_used_at as lastUsedAt"
] as const

const columnsOf = ({ siteManager, ...members }: Partial<SiteMembers>) => {
  const { capacity, coverImageUrl, portfolioId, siteName, unit, ...others } = members
  return {
    ...others,
    ...(capacity === undefined ? {} : { capacity }),
    ...(unit === undefined ? {} : { unit, kilowatts_per_unit: kilowattsPerUnit[unit] }),
    ...(siteName === undefined ? {} : { site_name: siteName }),
    ...(portfolioId === undefined ? {} : { portfolio_id: portfolioId }),
    ...(coverImageUrl === undefined ? {} : { cover_image_url: coverImageUrl }),
    ...(siteManager === undefined ? {} : { site_manager: siteManager === null ? null : JSON.stringify(siteManager) })
  }
}

export const makeStore = (): Store => {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: settings.poolSize })
  const root = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const db = root.withSchema(settings.schema)

  const sitesOf = (organisationId: string) =>
    db.selectFrom("site").select(siteColumns).where("site.organisation_id", "=", organisationId)

  const findSite: Store["findSite"] = async (organisationId, id) => {
    const row = await sitesOf(organisationId).where("site.id", "=", id).executeTakeFirst()
    return row && siteOf(row)
  }

  return {
    findKey: (digest) =>
      db
        .selectFrom("api_key")
        .innerJoin("organisation", "organisation.id", "api_key.organisation_id")
        .select([
          "api_key.organisation_id as organisationId",
          "api_key.id as apiKeyId",
          "api_key.created_by as userId",
          "api_key.expires_at as expiresAt",
          "organisation.status"
        ])
        .where("api_key.digest", "=", digest)
        .executeTakeFirst(),

    me: async ({ apiKeyId, organisationId, userId }) => {
      const row = await db
        .selectFrom("api_key")
        .innerJoin("organisation", "organisation.id", "api_key.organisation_id")
        .select([...keyColumns, "organisation.name as organisationName", "organisation.status"])
        .where("api_key.organisation_id", "=", organisationId)
        .where("api_key.id", "=", apiKeyId)
        .executeTakeFirst()
      if (row === undefined) throw new Problem("api_key_invalid")
      const { organisationName: name, status, ...apiKey } = row
      return { organisation: { id: organisationId, name, status }, userId, apiKey }
    },

    findSite,

    listSites: async (organisationId, { after, limit, portfolioId, siteId }) => {
      const rows = await sitesOf(organisationId)
        .$if(portfolioId !== undefined, (query) => query.where("site.portfolio_id", "=", portfolioId ?? null))
        .$if(siteId !== undefined, (query) => query.where("site.id", "=", siteId ?? ""))
        .$if(after !== undefined, (query) => query.where("site.id", ">", after ?? ""))
        .orderBy("site.id")
        .limit(limit + 1)
        .execute()
      return rows.map(siteOf)
    },

    insertSite: async (organisationId, { at, id, ...members }) => {
      const { capacity, siteName, unit } = members
      const row = await orRefuse(
        db
          .insertInto("site")
          .values({
            ...columnsOf(members),
            capacity,
            unit,
            site_name: siteName,
            kilowatts_per_unit: kilowattsPerUnit[unit],
            organisation_id: organisationId,
            id,
            created_at: at,
            updated_at: at,
            version: 1
          })
          .returning(siteColumns)
          .executeTakeFirstOrThrow()
      )
      return siteOf(row)
    },

    updateSite: async (organisationId, id, changes, at) => {
      const columns = columnsOf(changes)
      const sent = Object.entries(columns)
      const row =
        sent.length === 0
          ? undefined
          : await orRefuse(
              db
                .updateTable("site")
                .set({ ...columns, updated_at: at })
                .set((builder) => ({ version: builder("version", "+", 1) }))
                .where("organisation_id", "=", organisationId)
                .where("id", "=", id)
                .where(({ or }) =>
                  or(sent.map(([column, value]) => sql<boolean>`${sql.ref(column)} is distinct from ${value}`))
                )
                .returning(siteColumns)
                .executeTakeFirst()
            )
      const site = row === undefined ? await findSite(organisationId, id) : siteOf(row)
      if (site === undefined) throw new Problem("site_not_found")
      return site
    },

    listWithSites: async (organisationId) => {
      const [found, rows] = await Promise.all([
        db
          .selectFrom("portfolio as p")
          .leftJoin("site as s", (join) =>
            join.onRef("s.organisation_id", "=", "p.organisation_id").onRef("s.portfolio_id", "=", "p.id")
          )
          .select(({ fn }) => [
            "p.id",
            "p.organisation_id as organisationId",
            "p.name",
            "p.created_at as createdAt",
            "p.updated_at as updatedAt",
            "p.version",
            fn.count("s.id").as("siteCount"),
            fn.sum("s.capacity_kw").as("capacityKw")
          ])
          .where("p.organisation_id", "=", organisationId)
          .groupBy(["p.organisation_id", "p.id"])
          .orderBy("p.id")
          .execute(),
        sitesOf(organisationId)
          .where("site.portfolio_id", "is not", null)
          .orderBy("site.portfolio_id")
          .orderBy("site.id")
          .execute()
      ])
      const sites = Map.groupBy(rows.map(siteOf), ({ portfolioId }) => portfolioId)
      return found.map(({ capacityKw, createdAt, id, name, siteCount, updatedAt, version }) => ({
        id,
        organisationId,
        name,
        siteCount: Number(siteCount),
        capacityKw: Number(capacityKw ?? 0),
        createdAt,
        updatedAt,
        version,
        sites: sites.get(id) ?? []
      }))
    },

    insertDocuments: async (organisationId, { at, documents, expiresAt, siteId, uploadedBy }) => {
      if (documents.length === 0) return
      const rows = documents.map(({ documentType, filename, id, mimeType, omRecordId, sizeBytes, type }) => ({
        organisation_id: organisationId,
        id,
        site_id: siteId,
        type,
        document_type: documentType,
        filename,
        status: "pending",
        mime_type: mimeType,
        size_bytes: sizeBytes,
        declared_bytes: sizeBytes,
        uploaded_by: uploadedBy,
        om_record_id: omRecordId,
        created_at: at,
        updated_at: at,
        version: 1,
        address_expires_at: expiresAt,
        look_at: expiresAt
      }))
      await orRefuse(db.insertInto("document").values(rows).execute())
    },

    close: () => root.destroy()
  }
}
