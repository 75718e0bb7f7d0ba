/**
 * Workloads: each is a request that may vary.
 */
import type { Fixture } from "./services/database/fixture.ts"

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

const creation = (
  { key, portfolioIds }: Pick<Fixture["writer"], "key" | "portfolioIds">,
  n: number
): WorkloadRequest => ({
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
