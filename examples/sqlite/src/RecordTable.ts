/**
 * The records of one organisation in the table, for the steps of all ports.
 */
import {
  type AnyKind,
  Event,
  type EventOrigin,
  type Find,
  memberText,
  type NewEvent,
  numberedEvents,
  type OrganisationId,
  type Portfolio,
  portfolioKind,
  type RecordJson,
  type RecordKind,
  Revision,
  recordJson,
  type Stored,
  siteKind,
  type WebhookRecord,
  webhookDeliveryKind,
  webhookKind,
  withLastDelivery,
  withTotals
} from "@solar-sites/core"
import { DateTime, type Schema } from "effect"
import { memberSql } from "./Schema.ts"
import type { Statements } from "./SqliteDatabase.ts"

interface Identified {
  readonly id: string
}

const codecs = new Map<AnyKind["members"], RecordJson>()

/** The codec of a kind. It is made once. */
const codecOf = ({ members }: Pick<AnyKind, "members">): RecordJson => {
  const codec = codecs.get(members) ?? recordJson({ members })
  codecs.set(members, codec)
  return codec
}

export const eventKind = { members: Event }

/** A stored event, or a record of a kind. */
export const decoded = <R extends object>(kind: { readonly members: Schema.Codec<R, unknown> }, json: unknown): R =>
  // The table has what the codec of the kind has encoded.
  codecOf(kind).decode(String(json)) as R

export type RecordTable = ReturnType<typeof recordTable>

export const recordTable = ({ all, first, run }: Statements, organisationId: OrganisationId) => {
  /** Rows in ascending order of id. A negative limit is none. */
  const rows = (
    kind: Pick<AnyKind, "name">,
    condition = "true",
    parameters: ReadonlyArray<string | number> = [],
    limit = -1
  ) =>
    all(
      `select id, revision, json from record
       where organisation_id = ? and kind = '${kind.name}' and ${condition} order by id limit ?`,
      organisationId,
      ...parameters,
      limit
    )

  const rowsBy = (kind: Pick<AnyKind, "name">, member: string, values: Iterable<string | null>) =>
    rows(kind, `${memberSql(member)} in (select value from json_each(?))`, [JSON.stringify([...values])])

  const records = <R extends Identified>(
    kind: RecordKind<R>,
    condition?: string,
    parameters?: ReadonlyArray<string | number>
  ): ReadonlyArray<R> => rows(kind, condition, parameters).map(({ json }) => decoded(kind, json))

  /** The record with the members that are computed from other records. */
  const computed = (kind: AnyKind, record: object): object => {
    const referring = (member: string) => `${memberSql(member)} = ?`
    const id = memberText(record, "id") ?? ""
    // A record of this kind is a portfolio.
    if (kind === portfolioKind)
      return withTotals(record as Portfolio, records(siteKind, referring("portfolioId"), [id]))
    if (kind !== webhookKind) return record
    // A record of this kind is a webhook.
    return withLastDelivery(record as WebhookRecord, records(webhookDeliveryKind, referring("webhookId"), [id]))
  }

  const find = ({ by, kind, values }: Find): ReadonlyArray<Stored<object>> =>
    rowsBy(
      kind,
      by,
      "of" in values ? find(values.of).map(({ record }) => memberText(record, values.member)) : values
    ).map(({ json, revision }) => ({
      record: computed(kind, decoded(kind, json)),
      revision: Revision(String(revision))
    }))

  const remove = (kind: Pick<AnyKind, "name">, id: string) =>
    run(`delete from record where organisation_id = ? and kind = '${kind.name}' and id = ?`, organisationId, id)

  const insert = (kind: AnyKind, record: object, revision: number) =>
    run(
      `insert into record (organisation_id, kind, id, revision, json) values (?, '${kind.name}', ?, ?, ?)`,
      organisationId,
      memberText(record, "id") ?? "",
      revision,
      codecOf(kind).encode(record)
    )

  /** Every step that writes has a revision of its own. */
  const nextRevision = (): number =>
    Number(first("update last_revision set number = number + 1 returning number")?.number)

  const lastEvent = () => {
    const row = first("select sequence, occurred_at from last_event where organisation_id = ?", organisationId)
    const occurredAt = row?.occurred_at == null ? null : DateTime.makeUnsafe(String(row.occurred_at))
    return { sequence: Number(row?.sequence ?? 0), occurredAt }
  }

  /** Appends the events of the step. */
  const record = (events: ReadonlyArray<NewEvent>, origin: EventOrigin): void => {
    for (const event of numberedEvents(events, origin, lastEvent())) {
      const occurredAt = DateTime.formatIso(event.occurredAt)
      run(
        "insert into event (organisation_id, sequence, occurred_at, json) values (?, ?, ?, ?)",
        organisationId,
        event.sequence,
        occurredAt,
        codecOf(eventKind).encode(event)
      )
      run(
        `insert into last_event (organisation_id, sequence, occurred_at) values (?, ?, ?)
         on conflict do update set sequence = excluded.sequence, occurred_at = excluded.occurred_at`,
        organisationId,
        event.sequence,
        occurredAt
      )
    }
  }

  return { rows, rowsBy, records, computed, find, remove, insert, nextRevision, lastEvent, record }
}
