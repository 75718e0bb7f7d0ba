/** Rows of the table `console_user` as JSON, and SQL of events about users. */
import { DateTime } from "effect"
import { milliseconds } from "../Statement.ts"
import { User } from "./User.ts"

export type UserRow = Omit<Pick<User, keyof User>, "createdAt"> & { readonly createdAt: number }

/** Stored values were validated on insert and are not validated again. */
export const toUser = (row: UserRow): User =>
  new User({ ...row, createdAt: DateTime.makeUnsafe(row.createdAt) }, { disableChecks: true })

export const columns = (
  alias: string
): string => `${alias}.id, ${alias}.organisation_id as "organisationId", ${alias}.email,
  ${alias}.name, ${alias}.role, ${milliseconds(`${alias}.created_at`)} as "createdAt"`

export const changed = (member: string, from: string, to: string): string =>
  `'${member}', json_build_object('from', ${from}, 'to', ${to})`

/** SQL of an event about the user `u`, with the origin `o`. */
export const about = (...changes: ReadonlyArray<string>) =>
  ({
    origin: "o",
    subjectId: "u.id",
    subjectName: "u.name",
    siteId: "null::uuid",
    changes: `json_build_object(${changes.join()})::text`
  }) as const
