/**
 * Fills a migrated schema with organisations of different sizes. The first has a tenth of all sites,
 * in one portfolio. The others share the rest evenly, in ten portfolios each. Rows of all
 * organisations are interleaved, as in a database that grows over time.
 */
import { PgClient } from "@solar-sites/adapter-postgres"
import { OrganisationId, PortfolioId } from "@solar-sites/core"
import { Duration, Effect } from "effect"
import postgres from "postgres"

export interface Sizes {
  readonly organisations: number
  readonly sites: number
}

/** Called after each step with the kind of rows, their number so far and their total. */
export type Progress = (made: { readonly what: string; readonly rows: number; readonly of: number }) => void

const rowsPerStep = 25_000
const timeout = Duration.minutes(10)

/** Ids that ascend with `n`, as those of a service do. */
const id = (kind: string, n: string) => {
  const noise = `md5('${kind}' || (${n}))`
  const milliseconds = `lpad(to_hex(1767225600000 + (${n})), 12, '0')`
  return `(${milliseconds} || '7' || left(${noise}, 3) || '8' || substr(${noise}, 4, 15))::uuid`
}

const instant = "timestamptz '2026-01-01T00:00:00Z'"

interface Table {
  readonly what: string
  readonly rows: (sizes: Sizes) => number
  /** Inserts the rows with the numbers from the common table `n (i)`. */
  readonly insert: (schema: string, sizes: Sizes) => string
}

/** Organisation and portfolio of the site with the number `i`. Every fifth site has no portfolio. */
const places = ({ organisations }: Sizes) => `
  placed as (
    select i, case when i % 10 = 0 then 0 else 1 + i % ${organisations - 1} end as o from n
  ), sited as (
    select i, o, case when o = 0 then 0 when i % 5 = 1 then null else o * 10 + i / ${organisations - 1} % 10 end as p
    from placed
  )`

/** Last days of documents in almost three years. Those of this year were announced. */
const day = "(date '2026-01-01' + (i % 1000)::int)"

/** True of a hundredth of the deliveries of each organisation. */
const isPending = ({ organisations }: Sizes) => `i / ${organisations} % 100 = 7`

const tables: ReadonlyArray<Table> = [
  {
    what: "organisation",
    rows: ({ organisations }) => organisations,
    insert: (schema) =>
      `insert into ${schema}.organisation select ${id("o", "i")}, 'Organisation ' || i, 'active' from n`
  },
  {
    what: "portfolio",
    rows: ({ organisations }) => organisations * 10,
    insert: (schema) => `
      insert into ${schema}.portfolio (organisation_id, id, name, created_at, updated_at, version)
      select ${id("o", "i / 10")}, ${id("p", "i")}, 'Portfolio ' || i, ${instant}, ${instant}, 1 from n`
  },
  {
    what: "api_key",
    rows: ({ organisations }) => organisations * 5,
    insert: (schema) => `
      insert into ${schema}.api_key (organisation_id, id, digest, name, prefix, created_at, expires_at)
      select ${id("o", "i / 5")}, ${id("k", "i")}, sha256(('key' || i)::bytea), 'Key ' || i, 'none', ${instant},
             ${instant} + interval '1 year'
      from n`
  },
  {
    what: "site",
    rows: ({ sites }) => sites,
    insert: (schema, sizes) => `, ${places(sizes)}
      insert into ${schema}.site (
        organisation_id, id, portfolio_id, site_name, address, capacity, unit, kilowatts_per_unit, latitude, longitude,
        site_manager, created_at, updated_at, version
      )
      select ${id("o", "o")}, ${id("s", "i")}, ${id("p", "p")}, 'Site ' || i, i || ' Long Meadow Lane, Somewhere',
             1 + i % 997, 'kWp', 1, 48 + i % 100 / 50.0, 11 + i % 100 / 50.0,
             case when i % 3 = 0 then jsonb_build_object(
               'name', 'Manager ' || i, 'email', 'manager@example.com', 'phone', null, 'company', null, 'userId', null
             ) end,
             ${instant}, ${instant}, 1
      from sited`
  },
  {
    what: "document",
    rows: ({ sites }) => sites / 2,
    insert: (schema, sizes) => `, ${places(sizes)}
      insert into ${schema}.document (
        organisation_id, id, site_id, type, document_type, filename, status, mime_type, size_bytes, declared_bytes,
        om_record_id, created_at, updated_at, version, address_expires_at, look_at, valid_until, expiring_announced
      )
      select ${id("o", "o")}, ${id("d", "i")}, ${id("s", "i")}, 'documents', 'invoice', i || '.pdf',
             case when i % 100 = 7 then 'pending' else 'uploaded' end, 'application/pdf', 1000, 1000,
             case when i % 10 = 3 then 'record-' || i / 1000 end, ${instant}, ${instant}, 1, ${instant},
             case when i % 100 = 7 then ${instant} + i * interval '1 second' end,
             case when i % 2 = 1 then ${day} end,
             case when i % 2 = 1 and i % 1000 < 350 then ${day} end
      from sited`
  },
  {
    what: "event_sequence",
    rows: ({ organisations }) => organisations,
    insert: (schema, { sites }) => `
      insert into ${schema}.event_sequence (organisation_id, last, occurred_at)
      select ${id("o", "i")}, ${sites}, ${instant} + ${sites} * interval '1 second' from n`
  },
  {
    what: "event",
    rows: ({ sites }) => sites,
    insert: (schema, sizes) => `, ${places(sizes)}
      insert into ${schema}.event (
        organisation_id, sequence, id, type, occurred_at, user_id, api_key_id, key_prefix, subject_id, subject_name,
        site_id, changes
      )
      select ${id("o", "o")}, i, ${id("e", "i")},
             case when i % 3 = 0 then 'site.created' when i % 3 = 1 then 'site.updated' else 'document.uploaded' end,
             ${instant} + i * interval '1 second', 'user-' || i % 7, ${id("k", "o * 5")}, 'none',
             case when i % 3 = 2 then ${id("d", "i")} else ${id("s", "i")} end, 'Site ' || i, ${id("s", "i")},
             '{"siteName":{"from":null,"to":"Site"}}'
      from sited`
  },
  {
    what: "requirement_list",
    rows: ({ organisations }) => organisations,
    insert: (schema) => `
      insert into ${schema}.requirement_list (organisation_id, version, updated_at)
      select ${id("o", "i")}, 1, ${instant} from n`
  },
  {
    what: "requirement",
    rows: ({ organisations }) => organisations * 20,
    insert: (schema) => `
      insert into ${schema}.requirement (
        organisation_id, position, document_type, portfolio_id, validity_required, expiring_within_days
      )
      select ${id("o", "i / 20")}, i % 20, case when i % 2 = 0 then 'invoice' else 'insurance' end,
             case when i % 20 >= 2 then ${id("p", "i / 20 * 10 + i % 20 / 2")} end, i % 3 = 0, 30
      from n`
  },
  {
    what: "webhook",
    rows: ({ organisations }) => organisations * 5,
    insert: (schema, { sites }) => `
      insert into ${schema}.webhook (
        organisation_id, id, slot, url, events, enabled, secrets, dispatched_sequence, created_at, updated_at, version
      )
      select ${id("o", "i / 5")}, ${id("w", "i")}, 1 + i % 5, 'https://webhooks.invalid', '["*"]', true, '[]', ${sites}, ${instant},
             ${instant}, 1
      from n`
  },
  {
    what: "webhook_delivery",
    rows: ({ sites }) => sites,
    insert: (schema, sizes) => `
      insert into ${schema}.webhook_delivery (
        organisation_id, webhook_id, id, event_id, type, attempt, status, created_at, at, next_attempt_at
      )
      select ${id("o", `i % ${sizes.organisations}`)}, ${id("w", `i % ${sizes.organisations} * 5`)}, ${id("v", "i")},
             ${id("e", "i")}, 'site.created', 1, case when ${isPending(sizes)} then 'pending' else 'delivered' end,
             ${instant}, ${instant} + i * interval '1 second', case when ${isPending(sizes)} then ${instant} end
      from n`
  },
  {
    what: "deleted_file",
    rows: ({ sites }) => sites,
    insert: (schema, sizes) => `, ${places(sizes)}
      insert into ${schema}.deleted_file (organisation_id, site_id, document_id, address_expires_at, due_at)
      select ${id("o", "o")}, ${id("s", "i")}, ${id("f", "i")}, ${instant}, ${instant} + i * interval '1 second'
      from sited`
  },
  {
    what: "idempotency",
    rows: ({ sites }) => sites / 5,
    insert: (schema, sizes) => `, ${places(sizes)}
      insert into ${schema}.idempotency (
        organisation_id, key, fingerprint, seed, lease_until, expires_at, last_claim, answer
      )
      select ${id("o", "o")}, 'host key-' || i, md5(i::text), ${id("i", "i")}, ${instant},
             ${instant} + i * interval '1 second', 'Answered', '{}'
      from sited`
  }
]

/** Uses the driver: `vacuum` runs outside a transaction, so not in one message with another statement. */
const vacuum = (url: string, table: string) =>
  Effect.promise(async () => {
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql.unsafe(`vacuum analyze ${table}`)
    await sql.end()
  })

/** Inserts all rows, then runs `vacuum analyze`. */
export const generate = Effect.fnUntraced(function* (url: string, sizes: Sizes, progress: Progress) {
  const { run: send, schema } = yield* PgClient
  const run = (text: string) => send({ operation: "generate", text, timeout })
  for (const { insert, rows, what } of tables) {
    const of = rows(sizes)
    for (let from = 0; from < of; from += rowsPerStep) {
      const to = Math.min(from + rowsPerStep, of)
      yield* run(`with n as (select i from generate_series(${from}::bigint, ${to - 1}) i) ${insert(schema, sizes)}`)
      progress({ what, rows: to, of })
    }
    yield* vacuum(url, `${schema}.${what}`)
  }
})

/** Ids of the inserted rows, by number. */
export const generated = Effect.gen(function* () {
  const { run } = yield* PgClient
  const named = (kind: string, n: number) =>
    Effect.map(run({ operation: "generate", text: `select ${id(kind, String(n))}::text` }), ([row]) => String(row?.[0]))
  return {
    organisationId: (n: number) => Effect.map(named("o", n), (text) => OrganisationId.make(text)),
    portfolioId: (n: number) => Effect.map(named("p", n), (text) => PortfolioId.make(text))
  }
})
