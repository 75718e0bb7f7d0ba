/**
 * Workloads: each is a request that may vary.
 */
import type { Fixture, Organisation } from "./services/database/fixture.ts"

export interface WorkloadRequest {
  readonly method: "GET" | "POST" | "PUT"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Workload {
  readonly name: string
  readonly title: string
  readonly status: number
  /** Requests differ from each other. */
  readonly varies: boolean
  readonly writes: boolean
  /** Maximum number of concurrent requests, for large responses. */
  readonly connections?: number
  /** The request number `n`. */
  readonly request: (fixture: Fixture, n: number) => WorkloadRequest
  /** A second request on the same connection, after the response of `request`. */
  readonly second?: Workload["request"]
}

const at = <A>(items: ReadonlyArray<A>, n: number): A => {
  const item = items[n % items.length]
  if (item === undefined) throw new Error("there is nothing to choose from")
  return item
}

const requiresCaller = (key: string) => ({ "x-api-key": key })
const sending = (key: string, body: unknown) => ({
  headers: { ...requiresCaller(key), "content-type": "application/json" },
  body: JSON.stringify(body)
})
const fixed = { status: 200, varies: false, writes: false } as const
const varied = { ...fixed, varies: true } as const
const writing = { ...varied, writes: true } as const

const uploads =
  (count: number): Workload["request"] =>
  ({ others }, n) => {
    // Spread, because an organisation has at most 10,000 pending documents.
    const { key, siteIds } = at(others, n)
    return {
      method: "POST",
      path: "/api/docs/bulk-upload-url",
      ...sending(key, {
        siteId: at(siteIds, Math.floor(n / others.length)),
        fileType: "documents",
        files: Array.from({ length: count }, (_, index) => ({
          filename: `report ${index}.pdf`,
          mimeType: "application/pdf",
          fileSize: 12_345 + index,
          documentType: "invoice"
        }))
      })
    }
  }

const creation = ({ key, portfolioIds }: Pick<Organisation, "key" | "portfolioIds">, n: number): WorkloadRequest => ({
  method: "POST",
  path: "/api/sites",
  ...sending(key, {
    siteName: `Created ${n}`,
    address: `${n} Long Meadow Lane, Somewhere`,
    capacity: 1 + (n % 997) / 8,
    unit: "kWp",
    latitude: 48.25,
    longitude: 11.5,
    portfolioId: at(portfolioIds, n),
    siteManager: { name: "Manager", email: "manager@example.com" }
  })
})

/** Each request changes the site, and its search text. */
const update = ({ key }: Pick<Organisation, "key">, siteId: string, n: number): WorkloadRequest => ({
  method: "PUT",
  path: `/api/sites/${siteId}`,
  ...sending(key, {
    address: `${n} Short Lane, Elsewhere`,
    capacity: 1 + (n % 997) / 8,
    siteManager: { name: `Manager ${n}`, email: "manager@example.com" }
  })
})

const setStatus = ({ others }: Fixture, n: number, status: "approved" | "completed"): WorkloadRequest => {
  const { documentIds, key } = at(others, n)
  const id = at(documentIds, Math.floor(n / others.length))
  return { method: "PUT", path: `/api/docs/${id}`, ...sending(key, { status }) }
}

export const workloads: ReadonlyArray<Workload> = [
  {
    ...fixed,
    name: "list",
    title: "list 50 sites",
    request: ({ reader }) => ({ method: "GET", path: "/api/sites?limit=50", headers: requiresCaller(reader.key) })
  },
  {
    ...varied,
    name: "list-portfolio",
    title: "list the 50 sites of a portfolio",
    request: ({ reader }, n) => ({
      method: "GET",
      path: `/api/sites?portfolioId=${at(reader.portfolioIds, n)}&limit=50`,
      headers: requiresCaller(reader.key)
    })
  },
  {
    ...varied,
    name: "get",
    title: "get one site",
    request: ({ reader }, n) => ({
      method: "GET",
      path: `/api/sites/${at(reader.siteIds, n)}`,
      headers: requiresCaller(reader.key)
    })
  },
  {
    ...writing,
    name: "create",
    title: "create a site",
    status: 201,
    request: ({ writer }, n) => creation(writer, n)
  },
  {
    ...writing,
    name: "create-apart",
    title: "create a site, each for another of 50 organisations",
    status: 201,
    request: ({ others }, n) => creation(at(others, n), n)
  },
  {
    ...writing,
    name: "update",
    title: "change a site",
    request: ({ writer }, n) => update(writer, at(writer.siteIds, n), n)
  },
  {
    ...writing,
    name: "update-apart",
    title: "change a site, each of another of 50 organisations",
    request: ({ others }, n) => {
      const other = at(others, n)
      return update(other, at(other.siteIds, Math.floor(n / others.length)), n)
    }
  },
  {
    ...writing,
    name: "approve",
    title: "approve a document, then complete it, each of another of 50 organisations",
    request: (fixture, n) => setStatus(fixture, n, "approved"),
    second: (fixture, n) => setStatus(fixture, n, "completed")
  },
  {
    ...writing,
    name: "move",
    title: "move a site to another portfolio",
    request: ({ writer }, n) => {
      // Each pass moves every site to the other portfolio; at first every second site is there.
      const turn = Math.floor(n / writer.siteIds.length)
      return {
        method: "PUT",
        path: `/api/sites/${at(writer.siteIds, n)}`,
        ...sending(writer.key, { portfolioId: at(writer.portfolioIds, n + turn + 1) })
      }
    }
  },
  {
    ...writing,
    name: "move-many",
    title: "move 1,000 sites to the next portfolio",
    // The order of requests decides whether a site is in the portfolio already. Numbers of requests
    // that are not sent are left out, so that there are 20 portfolios instead of two.
    connections: 1,
    request: ({ mover }, n) => ({
      method: "POST",
      path: `/api/portfolios/${at(mover.portfolioIds, n)}/sites`,
      ...sending(mover.key, { siteIds: mover.siteIds })
    })
  },
  {
    ...fixed,
    name: "with-sites",
    connections: 10,
    title: "20 portfolios with 50 sites each",
    request: ({ reader }) => ({
      method: "GET",
      path: "/api/portfolios/with-sites",
      headers: requiresCaller(reader.key)
    })
  },
  { ...writing, name: "uploads-1", title: "1 upload address", request: uploads(1) },
  { ...writing, name: "uploads-20", title: "20 upload addresses", request: uploads(20) },
  {
    ...varied,
    name: "refused",
    title: "authentication alone: refused (401)",
    status: 401,
    request: (_, n) => ({
      method: "GET",
      path: "/api/me",
      // Failures are limited per address, so each request has its own.
      headers: { "x-api-key": "none", "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` }
    })
  },
  {
    ...fixed,
    name: "me",
    title: "authentication alone: who am I (200)",
    request: ({ reader }) => ({ method: "GET", path: "/api/me", headers: requiresCaller(reader.key) })
  },
  {
    ...varied,
    name: "cache-miss",
    title: "get one site by a key not seen before",
    request: ({ freshKeys, reader }, n) => ({
      method: "GET",
      path: `/api/sites/${at(reader.siteIds, n)}`,
      headers: requiresCaller(at(freshKeys, n))
    })
  },
  {
    ...fixed,
    name: "live",
    title: "no workload at all",
    request: () => ({ method: "GET", path: "/health/live", headers: {} })
  }
]
