/**
 * Requests that must not be told apart, on a server with a console and a mail server.
 */
import { mailServer } from "../../../apps/reference-server/test/mail/MailServer.ts"
import { decodeChecked, encodeChecked } from "../../../packages/core/src/input/Crc32.ts"
import { uploadsOf } from "../../../packages/http-node/test/Setup.ts"
import { createSites, issue, several } from "../amplification/Sizes.ts"
import { asking, type ServerTarget, serverTarget } from "../fuzz/Target.ts"

export interface TimedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface Pair {
  readonly name: string
  /** A tenth of the requests: each hashes a password. */
  readonly slow?: true
  /** Status of all answers. */
  readonly status: number
  readonly request: (kind: "a" | "b", index: number) => TimedRequest
}

const at = <A>(all: ReadonlyArray<A>, index: number): A => {
  const one = all[index % all.length]
  if (one === undefined) throw new Error("nothing to choose from")
  return one
}

const keyPrefix = "sk_live_"

/** A key with another last byte of its random part, and the checksum of that. */
const nearMiss = (key: string): string => {
  const bytes = decodeChecked(key.slice(keyPrefix.length)) ?? new Uint8Array(32)
  bytes[31] = (bytes[31] ?? 0) ^ 1
  return keyPrefix + encodeChecked(bytes)
}

const unknownKeys = (count: number, random: () => number): ReadonlyArray<string> =>
  Array.from({ length: count }, () => keyPrefix + encodeChecked(Uint8Array.from({ length: 32 }, () => random() * 256)))

const uuids = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  // Ids of the same time and with another end.
  ids.map((id) => `${id.slice(0, -6)}${id.endsWith("000000") ? "000001" : "000000"}`)

const resourcesOf = async (target: ServerTarget, key: string) => {
  const ask = asking(target, key)
  const sites = await createSites(ask, 50)
  const body = several(50, () => ({ name: "North" }))
  const portfolios: ReadonlyArray<string> = (await ask("POST /api/portfolios", body)).data.map(
    ({ id }: { id: string }) => id
  )
  const names = several(20, (index) => `${index}.txt`)
  const issued = await issue(ask, uploadsOf(sites[0] ?? "", ...names))
  const documents = issued.map(({ documentId }) => documentId)
  return { sites, portfolios, documents }
}

const usersOf = async ({ administration }: ServerTarget, count: number): Promise<ReadonlyArray<string>> => {
  const organisationId = await administration.createOrganisation()
  const emails: Array<string> = []
  for (let index = 0; index < count; index++) emails.push((await administration.createUser(organisationId)).email)
  return emails
}

const deletedKeysOf = async ({ administration }: ServerTarget, count: number): Promise<ReadonlyArray<string>> => {
  const organisationId = await administration.createOrganisation()
  const keys: Array<string> = []
  for (let index = 0; index < count; index++) {
    const { id, key } = await administration.createKey(organisationId)
    await administration.deleteKey(organisationId, id)
    keys.push(key)
  }
  return keys
}

/** Letters for others, so that unknown addresses are as long as known ones. */
const unlike = (email: string): string => email.replace(/[0-9a-f]{12}@/, (tail) => `${tail.slice(1, -1)}z@`)

/** `users` known addresses; each has at most ten events of failed logins. */
export const timedServer = async (random: () => number, users: number) => {
  const mails = await mailServer()
  const target = await serverTarget({
    CONSOLE: "true",
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: "solar@example.com"
  })
  const { address } = target
  const own = await target.join()
  const foreign = await resourcesOf(target, await target.join())
  const { sites: ownSites } = await resourcesOf(target, own)
  const live = await Promise.all(Array.from({ length: 20 }, () => target.join()))
  const deleted = await deletedKeysOf(target, 20)
  const unknown = unknownKeys(20, random)
  const known = await usersOf(target, users)

  const headers = { "x-api-key": own }
  const keys = (name: string, others: ReadonlyArray<string>): Pair => ({
    ...{ name, status: 401 },
    request: (kind, index) => ({
      ...{ method: "GET", path: "/api/me", headers: { "x-api-key": at(kind === "a" ? unknown : others, index) } }
    })
  })
  /** `line` and body have the id in place of `{id}`. */
  const ids = (
    name: string,
    all: ReadonlyArray<string>,
    line: string,
    body?: Readonly<Record<string, string>>
  ): Pair => {
    const absent = uuids(all)
    return {
      ...{ name, status: 404 },
      request: (kind, index) => {
        const id = at(kind === "a" ? all : absent, index)
        const [method = "", path = ""] = line.replace("{id}", id).split(" ")
        return { method, path, headers, ...(body && { body: JSON.parse(JSON.stringify(body).replace("{id}", id)) }) }
      }
    }
  }
  const emails = (name: string, path: string, password: string | undefined): Pair => ({
    name,
    ...(password === undefined ? { status: 202 } : { status: 401, slow: true }),
    request: (kind, index) => {
      const email = kind === "a" ? at(known, index) : unlike(at(known, index))
      const body = password === undefined ? { email } : { email, password }
      return { method: "POST", path, headers: { origin: address }, body }
    }
  })
  return {
    address,
    pairs: [
      keys("unknown and deleted keys", deleted),
      keys("unknown keys and near misses", live.map(nearMiss)),
      ids("foreign and absent sites", foreign.sites, "GET /api/sites/{id}"),
      ids("foreign and absent documents", foreign.documents, "GET /api/docs/{id}"),
      ids("foreign and absent portfolios, changed", foreign.portfolios, "PUT /api/portfolios/{id}", { name: "x" }),
      ids("foreign and absent portfolios of a site", foreign.portfolios, `PUT /api/sites/${ownSites[0]}`, {
        portfolioId: "{id}"
      }),
      emails("known and unknown addresses, new password", "/console/password-resets", undefined),
      emails("known and unknown addresses, login", "/console/session", "a wrong password of no user")
    ],
    close: async () => {
      await target.close()
      await mails.close()
    }
  }
}
