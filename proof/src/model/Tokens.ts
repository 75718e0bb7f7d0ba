/**
 * Tokens in steps, such as `{ "@id": "sites", of: "own", n: 2 }`, which become ids and texts of the
 * model at that time.
 */
import type { ModelState, Organisation } from "./ModelState.ts"
import type { User, UserLink } from "./PeopleState.ts"
import { codeOf, stepAt } from "./rules/Codes.ts"
import { password, passwords } from "./steps/Administration.ts"

export type Kind =
  | "sites"
  | "portfolios"
  | "documents"
  | "webhooks"
  | "deliveries"
  | "users"
  | "invitations"
  | "apiKeys"
  | "sessions"
  | "imports"

export interface IdToken {
  readonly "@id": Kind
  readonly of: "own" | "foreign" | "gone" | "never" | "odd"
  readonly n: number
}

const never = (n: number): string => `019e0000-0000-7000-8000-${String(n % 100).padStart(12, "0")}`

const spellings: ReadonlyArray<(id: string) => string> = [
  (id) => id.toUpperCase(),
  (id) => `{${id}}`,
  (id) => ` ${id}`,
  (id) => `${id}0`,
  (id) => id.slice(1),
  (id) => id.replaceAll("-", ""),
  () => "null",
  () => "a".repeat(300),
  (id) => `${id.slice(0, 8)}%2d${id.slice(9)}`,
  () => "%",
  () => "../sites"
]

/** Number of spellings of console paths; the ones after them are no path of the console at all. */
const consoleSpellings = 8

const idsOf = (organisation: Organisation, kind: Kind): ReadonlyArray<string> => {
  if (kind === "sessions") return organisation.sessions.flatMap(({ id }) => id ?? []).sort()
  if (kind === "deliveries") return [...organisation.webhooks.values()].flatMap(({ tests }) => tests)
  if (kind === "apiKeys") return organisation.keys.flatMap(({ deleted, id }) => (deleted ? [] : [id])).sort()
  if (kind === "imports") return organisation.importIds.toReversed()
  return [...organisation[kind].keys()].sort()
}

const isOfConsole = (kind: Kind): boolean => ["users", "invitations", "apiKeys", "sessions", "imports"].includes(kind)

export const pick = <A>(all: ReadonlyArray<A>, n: number): A | undefined => all[n % Math.max(1, all.length)]

/** Ids of the own organisation that the caller does not find. */
type Outside = (kind: Kind) => ReadonlyArray<string>

export const resolveId = (
  model: ModelState,
  own: Organisation,
  { "@id": kind, n, of }: IdToken,
  isTwin: boolean,
  outside: Outside = () => []
): string => {
  switch (of) {
    case "own":
      return pick(idsOf(own, kind), n) ?? never(n)
    case "foreign": {
      const others = model.organisations.filter((other) => other !== own)
      // Organisations may give imports the same id.
      const known = new Set(own.importIds)
      const foreign = others
        .flatMap((other) => idsOf(other, kind))
        .filter((id) => !known.has(id))
        .sort()
      const ids = [...outside(kind), ...foreign]
      if (ids.length === 0) return never(n)
      // Equal ids have equal twins, which no other token names.
      return isTwin ? never(50 + (n % ids.length)) : (pick(ids, n) ?? never(n))
    }
    case "gone":
      return pick(own.gone, n) ?? never(n)
    case "never":
      return never(n)
    case "odd": {
      const spell = spellings[n % (isOfConsole(kind) ? consoleSpellings : spellings.length)]
      return spell?.(pick(idsOf(own, kind), n) ?? never(n)) ?? never(n)
    }
  }
}

const isIdToken = (value: object): value is IdToken => "@id" in value

/**
 * A link of any kind, or an e-mail address, which is unique across organisations. The others are of
 * the user that the call is about: its password, a code of its second factor so many half minutes
 * ahead, a recovery code.
 */
type PersonToken =
  | { readonly "@link": number; readonly for: "invitation" | UserLink["purpose"] }
  | { readonly "@email": number; readonly of: "own" | "foreign" | "new" }
  | { readonly "@password": "right" | "other" }
  | { readonly "@code": number }
  | { readonly "@recovery": number }

const isPersonToken = (value: object): value is PersonToken =>
  ["@link", "@email", "@password", "@code", "@recovery"].some((name) => name in value)

const emailsOf = ({ users }: Organisation): ReadonlyArray<string> => [...users.values()].map(({ email }) => email)

/** Runs share a database, in which domains and persons of the provider are unique. */
export const inRun = ({ organisations: [first] }: ModelState, name: string): string => `${first?.id.slice(-12)}.${name}`

export const newEmail = (model: ModelState, { id }: Organisation, n: number): string =>
  `person-${n}.${id.slice(-12)}@${inRun(model, "example.com")}`

/** Where a value is filled in. */
export interface Place {
  readonly model: ModelState
  readonly own: Organisation
  readonly isTwin: boolean
  readonly outside: Outside
  /** User that the call is about. */
  readonly user: User | undefined
}

const emailOf = (
  { isTwin, model, own }: Place,
  n: number,
  of: Extract<PersonToken, { readonly "@email": number }>["of"]
): string => {
  const others = model.organisations.filter((other) => other !== own).flatMap(emailsOf)
  const known = of === "own" ? emailsOf(own) : of === "foreign" && !isTwin ? others : []
  return pick(known, n) ?? newEmail(model, own, n)
}

/** Mostly an open link of its kind, the newest first. */
const linkOf = ({ model: { organisations }, own }: Place, n: number, kind: string): string => {
  const ownLast = organisations.toSorted((a, b) => Number(a === own) - Number(b === own))
  const tokens = ownLast.flatMap(({ invitations, userLinks }): ReadonlyArray<{ readonly token: string }> => {
    if (kind === "invitation") return [...invitations.values()]
    return userLinks.filter(({ purpose }) => purpose === kind)
  })
  const open = tokens.flatMap(({ token }) => (token === "" ? [] : [token])).reverse()
  const links = [...open, ...open, ...organisations.flatMap((one) => one.links)]
  return links[n % (links.length + 1)] ?? "no-link"
}

const personOf = (place: Place, token: PersonToken): string => {
  const { model, own, user } = place
  if ("@link" in token) return linkOf(place, token["@link"], token.for)
  if ("@email" in token) return emailOf(place, token["@email"], token.of)
  if ("@password" in token) {
    const right = user?.password ?? password
    return token["@password"] === "right" ? right : (passwords.find((one) => one !== right) ?? password)
  }
  if ("@recovery" in token) return pick(own.recoveryCodes, token["@recovery"]) ?? "aaaa-bbbb"
  const secret = user?.factor?.secret
  return secret === undefined ? "" : codeOf(secret, stepAt(model.now) + token["@code"])
}

/** The value with ids and marked texts in place of tokens. */
export const fill = (place: Place, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one: unknown) => fill(place, one))
  if (typeof value !== "object" || value === null) return value
  const { isTwin, model, outside, own } = place
  if (isIdToken(value)) return resolveId(model, own, value, isTwin, outside)
  if (isPersonToken(value)) return personOf(place, value)
  if ("@url" in value) return `https://127.0.0.1:1/${own.marker}/${String(value["@url"])}`
  if ("@text" in value) return `${String(value["@text"])} ${own.marker}`
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(place, one)]))
}
