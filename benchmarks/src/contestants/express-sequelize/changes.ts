/**
 * Changes by Sequelize, each in a transaction that also writes its events.
 */
import { type InferAttributes, QueryTypes, type Transaction } from "sequelize"
import { eventRows, type NewEvent, type Origin, requestedEvents, siteEvent } from "../common/events.ts"
import { kilowattsPerUnit } from "../common/model.ts"
import { checkDocuments } from "../common/pending.ts"
import { Problem } from "../common/problems.ts"
import { settings } from "../common/settings.ts"
import { orRefuse, orRefuseTaken } from "../common/violations.ts"
import { memberNames, type Store, siteOf } from "../limit/site.ts"
import { Document, Event, Site, sequelize } from "./models.ts"

// Sequelize has no `on conflict` that adds to the stored value.
const nextSequence = `
  insert into "${settings.schema}".event_sequence as q (organisation_id, last, occurred_at)
  values ($1::uuid, $2::bigint, $3::timestamptz)
  on conflict (organisation_id) do update
  set last = q.last + excluded.last, occurred_at = greatest(q.occurred_at, excluded.occurred_at)
  returning q.last, q.occurred_at as "occurredAt"`

/** The last step of a transaction: the row of the sequence stays locked until the commit. */
const writeEvents = async (transaction: Transaction, origin: Origin, made: ReadonlyArray<NewEvent>): Promise<void> => {
  const bind = [origin.organisationId, made.length, origin.at]
  const options = { bind, transaction, type: QueryTypes.SELECT as const }
  const [sequence] = await sequelize.query<{ last: string; occurredAt: Date }>(nextSequence, options)
  if (sequence === undefined) throw new Error("The sequence gave no row.")
  const rows = eventRows({ ...origin, at: sequence.occurredAt }, made, Number(sequence.last))
  await Event.bulkCreate(rows, { transaction, returning: false })
}

const holder = (organisationId: string) => async (externalId: string) =>
  (await Site.findOne({ where: { organisationId, externalId } }))?.get().id

export const insertSite: Store["insertSite"] = (origin, members) => {
  const { at, organisationId } = origin
  const stored = sequelize.transaction(async (transaction) => {
    const times = { createdAt: at, updatedAt: at, version: 1 }
    const values = { ...members, ...times, organisationId, kilowattsPerUnit: kilowattsPerUnit[members.unit] }
    const site = siteOf((await Site.create(values, { transaction, returning: true })).get())
    await writeEvents(transaction, origin, [siteEvent(memberNames, null, site)])
    return site
  })
  return orRefuseTaken(members.externalId, stored, holder(organisationId))
}

export const updateSite: Store["updateSite"] = (origin, id, wanted) => {
  const { at, organisationId } = origin
  const stored = sequelize.transaction(async (transaction) => {
    const row = await Site.findOne({ where: { organisationId, id }, transaction, lock: transaction.LOCK.NO_KEY_UPDATE })
    if (row === null) throw new Problem("site_not_found")
    const before = siteOf(row.get())
    const after = { ...before, ...wanted }
    const event = siteEvent(memberNames, before, after)
    const members = memberNames.filter((name) => name in event.changes)
    if (members.length === 0) return before
    row.set({
      ...Object.fromEntries(members.map((name) => [name, after[name]])),
      kilowattsPerUnit: kilowattsPerUnit[after.unit],
      updatedAt: at,
      version: before.version + 1
    })
    await row.save({ transaction, returning: true })
    await writeEvents(transaction, origin, [event])
    return siteOf(row.get())
  })
  return orRefuseTaken(wanted.externalId, stored, holder(organisationId))
}

export const insertDocuments: Store["insertDocuments"] = async (origin, { documents, expiresAt, siteId }) => {
  if (documents.length === 0) return
  const { at, organisationId, userId } = origin
  const rows = documents.map(
    (document): InferAttributes<Document> => ({
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
    })
  )
  const stored = sequelize.transaction(async (transaction) => {
    await Document.bulkCreate(rows, { transaction, returning: false })
    await writeEvents(transaction, origin, requestedEvents(siteId, documents))
    const bind = [organisationId, documents.map(({ id }) => id)]
    await sequelize.query(`select ${checkDocuments}, $1::uuid, $2::uuid[])`, { bind, transaction })
  })
  await orRefuse(stored)
}
