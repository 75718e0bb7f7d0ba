/**
 * Addresses of databases, with one host or several, as those of libpq.
 */

const attribute = "target_session_attrs"

// The scheme with the credentials, the hosts, and everything behind them.
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s

const split = (text: string) => {
  const [, start = "", hosts = "", end = ""] = parts.exec(text) ?? []
  return { start, names: hosts.split(","), end }
}

/** The address with its first host alone; null for another text. */
const firstUrl = (text: string): URL | null => {
  const { end, names, start } = split(text)
  return start === "" ? null : URL.parse(`${start}${names[0]}${end}`)
}

const several = "such as postgres://user:password@a:5432,b:5432/database"

const isHost = (name: string): boolean => /^[^[\]%:]+(:\d+)?$/.test(name) && URL.canParse(`postgres://${name}`)

/** What an address must be, in order. */
export const addressRules: ReadonlyArray<{ readonly form: string; readonly holds: (text: string) => boolean }> = [
  {
    form: "the address of a Postgres database, such as postgres://user:password@host:5432/database",
    holds: (text) => firstUrl(text) !== null
  },
  {
    form: `an address without an empty host, ${several}`,
    holds: (text) => split(text).names.length === 1 || !split(text).names.includes("")
  },
  {
    // The driver reads no IPv6 addresses, and a socket of this machine is one host.
    form: `an address whose hosts are names or IPv4 addresses, ${several}; no sockets or IPv6 addresses among several hosts`,
    holds: (text) => split(text).names.length === 1 || split(text).names.every(isHost)
  },
  {
    form: `an address whose ${attribute} is read-write or primary, or any with one host; a standby accepts no writes`,
    holds: (text) => {
      const known = ["read-write", "primary", ...(split(text).names.length === 1 ? ["any"] : [])]
      return (
        firstUrl(text)
          ?.searchParams.getAll(attribute)
          .every((value) => known.includes(value)) === true
      )
    }
  }
]

/** Parts of an address. */
export interface PgAddress {
  /** The address of each host, in order. A port that is left out is 5432, as in libpq. */
  readonly hosts: ReadonlyArray<{ readonly name: string; readonly url: string }>
  /** False for one host that may be a standby. */
  readonly isPrimary: boolean
}

/** The parts of an address without fault. */
export const parseAddress = (text: string): PgAddress => {
  const { end, names, start } = split(text)
  const url = new URL(`${start}${names[0]}${end}`)
  const wanted = url.searchParams.getAll(attribute)
  // The driver must not follow the primary itself.
  url.searchParams.delete(attribute)
  const behind = wanted.length > 0 ? `${url.pathname}${url.search}` : end
  return {
    hosts: names.map((name) => ({ name, url: `${start}${name}${behind}` })),
    isPrimary: names.length > 1 || wanted.some((value) => value !== "any")
  }
}
