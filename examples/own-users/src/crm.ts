/**
 * The data of the host: companies, users, sessions and O&M records.
 */
import { randomUUID } from "node:crypto"

export interface Company {
  readonly id: string
  readonly name: string
  active: boolean
}

export interface User {
  readonly id: string
  readonly companyId: string
}

const sunfield: Company = { id: "0198c0de-0000-7000-8000-000000000001", name: "Sunfield Energy", active: true }
const meadow: Company = { id: "0198c0de-0000-7000-8000-000000000002", name: "Meadow Power", active: true }

export const companies = new Map([sunfield, meadow].map((company) => [company.id, company]))

const users: ReadonlyArray<User> = [
  { id: "ada", companyId: sunfield.id },
  { id: "mia", companyId: meadow.id }
]

const sessions = new Map<string, User>()

/** A token for the header `Authorization`; a real host asks for a password first. */
export const logIn = (userId: unknown): string | null => {
  const user = users.find(({ id }) => id === userId)
  if (user === undefined) return null
  const token = randomUUID()
  sessions.set(token, user)
  return token
}

/** The user of an `Authorization` header, for pages of the host and for Solar Sites. */
export const userOf = (authorization: string | undefined): User | null =>
  sessions.get(authorization?.replace(/^Bearer /, "") ?? "") ?? null

interface OmRecord {
  readonly id: string
  readonly companyId: string
  readonly siteId: string
}

export const omRecords = new Map<string, OmRecord>()

export const addOmRecord = (companyId: string, siteId: string): OmRecord => {
  const record = { id: randomUUID(), companyId, siteId }
  omRecords.set(record.id, record)
  return record
}
