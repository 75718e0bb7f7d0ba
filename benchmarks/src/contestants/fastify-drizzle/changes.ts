/**
 * Changes by Drizzle, each in a transaction that also writes its events.
 */
import { and, eq, sql } from "drizzle-orm"
import type { NodePgDatabase } from "drizzle-orm/node-postgres"
import { eventRows, type NewEvent, type Origin, requestedEvents, siteEvent } from "../common/events.ts"
import { kilowattsPerUnit } from "../common/model.ts"
import { checkDocuments } from "../common/pending.ts"
import { Problem } from "../common/problems.ts"
import { orRefuse, orRefuseTaken } from "../common/violations.ts"
import { memberNames, type Store, siteOf } from "./site.ts"
import { documents, eventSequences, events, sites } from "./tables.ts"

type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0]

/** The last step of a transaction: the row of the sequence stays locked until the commit. */
const writeEvents = async (transaction: Transaction, origin: Origin, made: ReadonlyArray<NewEvent>): Promise<void> => {
  const { at: occurredAt, organisationId } = origin
  const [sequence] = await transaction
    .insert(eventSequences)
    .values({ organisationId, last: made.length, occurredAt })
    .onConflictDoUpdate({
      target: eventSequences.organisationId,
      set: {
        last: sql`${eventSequences.last} + excluded.last`,
        occurredAt: sql`greatest(${eventSequences.occurredAt}, excluded.occurred_at)`
      }
    })
    .returning()
  if (sequence === undefined) throw new Error("The sequence gave no row.")
  await transaction.insert(events).values(eventRows({ ...origin, at: sequence.occurredAt }, made, sequence.last))
}

export const makeChanges = (db: NodePgDatabase): Pick<Store, "insertSite" | "updateSite" | "insertDocuments"> => {
  const ofSite = (organisationId: string, id: string) => and(eq(sites.organisationId, organisationId), eq(sites.id, id))

  const holder = (organisationId: string) => async (externalId: string) => {
    const condition = and(eq(sites.organisationId, organisationId), eq(sites.externalId, externalId))
    return (await db.select({ id: sites.id }).from(sites).where(condition))[0]?.id
  }

  const insertSite: Store["insertSite"] = (origin, members) => {
    const { at, organisationId } = origin
    const stored = db.transaction(async (transaction) => {
      const values = {
        ...members,
        organisationId,
        kilowattsPerUnit: kilowattsPerUnit[members.unit],
        createdAt: at,
        updatedAt: at,
        version: 1
      }
      const [row] = await transaction.insert(sites).values(values).returning()
      if (row === undefined) throw new Error("The insert gave no row.")
      const site = siteOf(row)
      await writeEvents(transaction, origin, [siteEvent(memberNames, null, site)])
      return site
    })
    return orRefuseTaken(members.externalId, stored, holder(organisationId))
  }

  const updateSite: Store["updateSite"] = (origin, id, wanted) => {
    const { at, organisationId } = origin
    const stored = db.transaction(async (transaction) => {
      const [row] = await transaction.select().from(sites).where(ofSite(organisationId, id)).for("no key update")
      if (row === undefined) throw new Problem("site_not_found")
      const before = siteOf(row)
      const after = { ...before, ...wanted }
      const event = siteEvent(memberNames, before, after)
      const members = memberNames.filter((name) => name in event.changes)
      if (members.length === 0) return before
      const [changed] = await transaction
        .update(sites)
        .set({
          ...Object.fromEntries(members.map((name) => [name, after[name]])),
          kilowattsPerUnit: kilowattsPerUnit[after.unit],
          updatedAt: at,
          version: row.version + 1
        })
        .where(ofSite(organisationId, id))
        .returning()
      if (changed === undefined) throw new Error("The update gave no row.")
      await writeEvents(transaction, origin, [event])
      return siteOf(changed)
    })
    return orRefuseTaken(wanted.externalId, stored, holder(organisationId))
  }

  const insertDocuments: Store["insertDocuments"] = async (origin, { documents: made, expiresAt, siteId }) => {
    if (made.length === 0) return
    const { at, organisationId, userId } = origin
    const rows = made.map((document) => ({
      ...document,
      organisationId,
      siteId,
      status: "pending",
      declaredBytes: document.sizeBytes,
      uploadedBy: userId,
      createdAt: at,
      updatedAt: at,
      version: 1,
      addressExpiresAt: expiresAt,
      lookAt: expiresAt
    }))
    const stored = db.transaction(async (transaction) => {
      await transaction.insert(documents).values(rows)
      await writeEvents(transaction, origin, requestedEvents(siteId, made))
      const ids = sql.param(made.map(({ id }) => id))
      await transaction.execute(sql`select ${sql.raw(checkDocuments)}, ${organisationId}::uuid, ${ids}::uuid[])`)
    })
    await orRefuse(stored)
  }

  return { insertSite, updateSite, insertDocuments }
}
