/**
 * All contestants at once, on a schema of their own, and their answers without
 * what differs from one request to the next.
 */
import { randomBytes } from "node:crypto"
import { contestants } from "../src/contestants/contestants.ts"
import { openField, type Running } from "../src/contestants/processes.ts"
import { prepare } from "../src/services/database/database.ts"
import type { Fixture } from "../src/services/database/fixture.ts"
import type { WorkRequest } from "../src/works/works.ts"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: string
}

export interface Field {
  readonly fixture: Fixture
  readonly running: ReadonlyArray<Running>
  readonly exact: (running: Running, request: WorkRequest) => Promise<Response>
  readonly ask: (running: Running, request: WorkRequest) => Promise<Answer>
  readonly stop: () => Promise<void>
}

const freshKeys = 50
const compared = ["content-type", "cache-control", "x-content-type-options", "etag", "location", "www-authenticate"]

/** Without ids, instants, versions and signatures of today; all that is in the fixture stays. */
const normalised = (known: ReadonlySet<string>) => (text: string) =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (known.has(id) ? id : "ID"))
    .replace(/"lastUsedAt":("[^"]+"|null)/g, '"lastUsedAt":"INSTANT"')
    .replace(/"(?!2026-01-01T00:00:00.123Z|2126-)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"INSTANT"')
    .replace(/X-Amz-Credential=access%2F\d{8}/g, "X-Amz-Credential=access%2FDAY")
    .replace(/X-Amz-Date=\d{8}T\d{6}Z/g, "X-Amz-Date=INSTANT")
    .replace(/X-Amz-Signature=[0-9a-f]{64}/g, "X-Amz-Signature=SIGNATURE")
    .replace(/"version":\d+/g, '"version":0')

export const startAll = async (url: string): Promise<Field> => {
  const schema = `test_${randomBytes(6).toString("hex")}`
  const database = await prepare({ url, schema }, { freshKeys })
  const field = await openField(database)
  const stop = async () => {
    await field.stop()
    await database.drop()
    await database.stop()
  }
  try {
    const running = await Promise.all(contestants.map(field.start))
    const { fixture } = database
    const { reader, writer } = fixture
    const known = new Set([reader, writer].flatMap(({ portfolioIds, siteIds }) => [...portfolioIds, ...siteIds]))
    const normalise = normalised(known)
    const exact: Field["exact"] = ({ origin }, { body, headers, method, path }) =>
      fetch(`${origin}${path}`, body === undefined ? { method, headers } : { method, headers, body })
    const ask: Field["ask"] = async (contestant, request) => {
      const response = await exact(contestant, request)
      const shown = compared.map((name) => {
        const value = response.headers.get(name)
        // Whether JSON is said to be in UTF-8, which it always is, is the framework's choice.
        if (name === "content-type") return [name, value?.replace(/; charset=utf-8$/, "") ?? null]
        return [name, value && normalise(value).replace(/^"\d+"$/, '"0"')]
      })
      return { status: response.status, headers: Object.fromEntries(shown), body: normalise(await response.text()) }
    }
    return { fixture, running, exact, ask, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
