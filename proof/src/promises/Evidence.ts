/**
 * What shows a promise on each system that the service runs on.
 */

/** Systems in the order of the table. The embedded default is PGlite, a folder, and limits in process. */
export const systems = ["embedded", "postgres", "citus", "pgbouncer", "ceph", "redis"] as const
type System = (typeof systems)[number]

/** A test by its file and its titles, joined by ` > `; or the target of a proof. */
export type Evidence =
  | { readonly file: string; readonly test: string }
  | { readonly proof: string; readonly on: string }

/** A text is the reason why the promise does not concern the system. */
export type Cell = Evidence | string

export type Cells = Readonly<Partial<Record<System, Cell>>>

/** Promises with the same reasons for the systems that none of them concerns. */
export interface PromiseGroup {
  readonly title: string
  readonly reasons: Readonly<Partial<Record<System, string>>>
  readonly promises: Readonly<Record<string, Cells>>
}

export const reasons = {
  database: "holds records only",
  files: "holds files only",
  redis: "holds limits and news of changed access only"
}

const databases = {
  embedded: ["Conformance.pglite", "pglite"],
  postgres: ["Conformance", "postgres"],
  citus: ["Citus", "citus"],
  pgbouncer: ["PgBouncer", "postgres behind pgbouncer, with row-level security"]
} as const

/** A test such as `Citus: the server on Citus > …`, of a file that ends in `.integration.test.ts`. */
const testIn =
  (folder: string) =>
  (text: string): Evidence => {
    const [name, ...titles] = text.split(": ")
    return { file: `${folder}/test/${name}.integration.test.ts`, test: titles.join(": ") }
  }

export const adapterTest = testIn("packages/adapter-postgres")
export const serverTest = testIn("apps/reference-server")
export const redisTest = testIn("packages/adapter-redis")
const folderTest = testIn("packages/adapter-filesystem")
const s3Test = testIn("packages/adapter-s3")

export const onCitus = (test: string) => serverTest(`Citus: the server on Citus > ${test}`)

export const proofOn = (proof: string, on: string): Evidence => ({ proof, on })
export const modelOn = (on: string) => proofOn("model", on)

/** `PORT > CASE` of the conformance suites, on the four databases. */
export const onDatabases = (test: string): Cells =>
  Object.fromEntries(
    Object.entries(databases).map(([system, [file, name]]) => [
      system,
      adapterTest(`${file}: ${name} > ${test.replace(" > ", ` conformance: ${name} > `)}`)
    ])
  )

/** Promises that one case each shows, on the same systems. */
export const casesOn = (
  on: (test: string) => Cells,
  cases: Readonly<Record<string, string>>
): PromiseGroup["promises"] => Object.fromEntries(Object.entries(cases).map(([promise, test]) => [promise, on(test)]))

/** A case of the conformance suite of storage, in a folder and on Ceph. */
export const onStorage = (test: string): Cells => ({
  embedded: folderTest(`Conformance: DocumentStorage conformance: folder > ${test}`),
  ceph: s3Test(`Conformance: s3 > DocumentStorage conformance: s3 > ${test}`)
})

/** A case of the conformance suite of limits, in process and on Redis. */
export const onLimiters = (test: string): Cells => ({
  embedded: {
    file: "packages/testing/test/RateLimiter.test.ts",
    test: `RateLimiter conformance: in process > ${test}`
  },
  redis: redisTest(`Conformance: redis > RateLimiter conformance: redis > ${test}`)
})

/** A test of the server that runs on both databases in place of `*`. */
export const onServers = (text: string): Cells => ({
  embedded: serverTest(text.replace("*", "an embedded database")),
  postgres: serverTest(text.replace("*", "a Postgres server"))
})
