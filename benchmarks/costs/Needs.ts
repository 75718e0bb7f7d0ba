/**
 * What a load needs, computed from measured costs.
 */

/** Processor time in microseconds, memory in bytes, each per operation. */
export interface Cost {
  readonly servers: number
  readonly postgres: number
  readonly redis: number
  readonly wal: number
  readonly stored: number
}

export const zero: Cost = { servers: 0, postgres: 0, redis: 0, wal: 0, stored: 0 }

/** Applies a function to the members of both. */
export const combine = (one: Cost, other: Cost, f: (one: number, other: number) => number): Cost => ({
  servers: f(one.servers, other.servers),
  postgres: f(one.postgres, other.postgres),
  redis: f(one.redis, other.redis),
  wal: f(one.wal, other.wal),
  stored: f(one.stored, other.stored)
})

/** The smallest load: operations per second in the busiest hour, and what is stored. */
const base = { perSecond: 100, sites: 100_000 }
/** Per site and year, beside its creation. */
const perSite = { uploads: 5, updates: 20 }
const poolSize = 10
/** Share of a core in use in the busiest hour: the rest is for peaks and for a lost instance. */
const busy = 0.6
/** Average load of a year as a share of that of the busiest hour. */
const average = 0.25

export interface Stored {
  readonly site: number
  readonly upload: number
  readonly update: number
}

/** With two digits, such as `5.9 GB` or `590 GB`. */
const amount = (bytes: number): string => {
  const units = ["B", "kB", "MB", "GB", "TB", "PB"]
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${Number((bytes / 1_000 ** unit).toPrecision(2))} ${units[unit]}`
}

/** Rows of a table: the load times 1, 10, 100 and 1,000. */
export const needs = (mixed: Cost, stored: Stored): ReadonlyArray<ReadonlyArray<string>> =>
  [1, 10, 100, 1_000].map((times) => {
    const perSecond = base.perSecond * times
    const sites = base.sites * times
    const cores = (micros: number) => (perSecond * micros) / 1e6 / busy
    const processes = Math.max(2, Math.ceil(cores(mixed.servers)))
    const perYear = stored.site + perSite.uploads * stored.upload + perSite.updates * stored.update
    return [
      `${times}`,
      perSecond.toLocaleString("en"),
      sites.toLocaleString("en"),
      `${processes}`,
      cores(mixed.postgres).toFixed(1),
      cores(mixed.redis).toFixed(1),
      `${processes * poolSize}`,
      amount(sites * perYear),
      amount(perSecond * mixed.wal * average * 86_400)
    ]
  })

export const needsHead = [
  "×",
  "operations/s",
  "sites",
  "server processes",
  "Postgres cores",
  "Redis cores",
  "connections",
  "disk after a year",
  "WAL a day"
]
