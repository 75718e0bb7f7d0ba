/** Record kinds of an application: members of organisations, each with badges. */
import { randomUUID } from "node:crypto"
import {
  kindTable,
  layerPortsWith,
  type Migration,
  type PgClient,
  PgColumn,
  withMigrations
} from "@solar-sites/adapter-postgres"
import { OrganisationId, recordKind } from "@solar-sites/core"
import { DateTime, Layer, Schema } from "effect"

export class Member extends Schema.Class<Member>("Member")({
  id: Schema.String,
  organisationId: OrganisationId,
  login: Schema.String,
  nickname: Schema.NullOr(Schema.String),
  digest: Schema.String,
  createdAt: Schema.DateTimeUtcFromString
}) {}

export class Badge extends Schema.Class<Badge>("Badge")({
  id: Schema.String,
  organisationId: OrganisationId,
  memberId: Schema.String
}) {}

export const memberKind = recordKind("member", Member, {
  unique: ["nickname"],
  everywhere: ["login"],
  indexed: ["organisationId", "digest"],
  references: [{ member: "organisationId", kind: "organisation" }]
})

export const badgeKind = recordKind("badge", Badge, { references: [{ member: "memberId", kind: "member" }] })

const { instant, bytes, nullable, text, uuid } = PgColumn

export const members = kindTable(
  memberKind,
  Member,
  {
    id: uuid("id"),
    login: text("login"),
    nickname: nullable(text("nickname")),
    digest: bytes("digest"),
    createdAt: instant("created_at")
  },
  {
    name: "host_member",
    constraints: ["host_member_pkey", "host_member_nickname", "host_member_organisation"],
    everywhere: { host_member_login: "login" }
  }
)

const badges = kindTable(
  badgeKind,
  Badge,
  { id: uuid("code"), memberId: uuid("member_id") },
  { name: "host_badge", id: "code", constraints: ["host_badge_pkey", "host_badge_member"] }
)

const migration: Migration = {
  name: "host_0001_members",
  sql: (schema) => `
create table ${schema}.host_member (
  organisation_id uuid not null, id uuid not null, login text not null constraint host_member_login unique,
  nickname text, digest bytea not null, created_at timestamptz not null, note text default 'kept',
  primary key (organisation_id, id),
  constraint host_member_nickname unique (organisation_id, nickname),
  constraint host_member_organisation foreign key (organisation_id)
    references ${schema}.organisation (id) on delete cascade
);
create table ${schema}.host_badge (
  organisation_id uuid not null, code uuid not null, member_id uuid not null,
  primary key (organisation_id, code),
  constraint host_badge_member foreign key (organisation_id, member_id)
    references ${schema}.host_member (organisation_id, id)
);`
}

const { migrate } = withMigrations([migration])

export const migrated = <E>(client: Layer.Layer<PgClient, E>) =>
  layerPortsWith({ tables: [members, badges] }).pipe(
    Layer.provideMerge(Layer.effectDiscard(migrate)),
    Layer.provideMerge(client)
  )

export const at = DateTime.makeUnsafe("2026-06-01T12:00:00Z")

export const aMember = (organisationId: OrganisationId, more: Partial<Member> = {}): Member =>
  new Member({
    id: randomUUID(),
    organisationId,
    login: randomUUID(),
    nickname: null,
    digest: "00ff",
    createdAt: at,
    ...more
  })
