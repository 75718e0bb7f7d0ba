/**
 * The IANA registries of special-purpose addresses, written down independently of the source, with
 * arithmetic of its own.
 */

export interface SpecialRange {
  readonly network: string
  readonly use: string
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

const ipv4 = (text: string): bigint => text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n)

const ipv6 = (text: string): bigint => {
  const [head = "", tail = ""] = text.split("::")
  const groups = (part: string) => (part === "" ? [] : part.split(":"))
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => "0")
  return [...groups(head), ...zeros, ...groups(tail)].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

const range = (network: string, use: string): SpecialRange => {
  const [address = "", prefix] = network.split("/")
  const family = address.includes(":") ? 6 : 4
  const first = family === 6 ? ipv6(address) : ipv4(address)
  const size = 1n << BigInt((family === 6 ? 128 : 32) - Number(prefix))
  return { network, use, family, first, last: first + size - 1n }
}

export const specialRanges: ReadonlyArray<SpecialRange> = [
  range("0.0.0.0/8", "this network"),
  range("10.0.0.0/8", "private"),
  range("100.64.0.0/10", "carrier-grade NAT"),
  range("127.0.0.0/8", "loopback"),
  range("169.254.0.0/16", "link-local"),
  range("172.16.0.0/12", "private"),
  range("192.0.0.0/24", "protocol assignments"),
  range("192.0.2.0/24", "TEST-NET-1"),
  range("192.31.196.0/24", "AS112"),
  range("192.52.193.0/24", "AMT"),
  range("192.88.99.0/24", "6to4 relay anycast"),
  range("192.168.0.0/16", "private"),
  range("192.175.48.0/24", "AS112"),
  range("198.18.0.0/15", "benchmarking"),
  range("198.51.100.0/24", "TEST-NET-2"),
  range("203.0.113.0/24", "TEST-NET-3"),
  range("224.0.0.0/4", "multicast"),
  range("240.0.0.0/4", "reserved"),
  range("::/128", "unspecified"),
  range("::1/128", "loopback"),
  range("::/96", "IPv4-compatible"),
  range("::ffff:0:0/96", "IPv4-mapped"),
  range("64:ff9b::/96", "NAT64"),
  range("64:ff9b:1::/48", "NAT64"),
  range("100::/64", "discard"),
  range("100:0:0:1::/64", "dummy"),
  range("::/3", "reserved"),
  range("2001::/32", "Teredo"),
  range("2001:2::/48", "benchmarking"),
  range("2001::/23", "protocol assignments"),
  range("2001:db8::/32", "documentation"),
  range("2002::/16", "6to4"),
  range("2620:4f:8000::/48", "AS112"),
  range("3fff::/20", "documentation"),
  range("4000::/3", "reserved"),
  range("5f00::/16", "segment routing"),
  range("6000::/3", "reserved"),
  range("8000::/2", "reserved"),
  range("c000::/3", "reserved"),
  range("e000::/4", "reserved"),
  range("f000::/5", "reserved"),
  range("f800::/6", "reserved"),
  range("fc00::/7", "unique local"),
  range("fe00::/9", "reserved"),
  range("fe80::/10", "link-local"),
  range("fec0::/10", "site-local"),
  range("ff00::/8", "multicast")
]

const random = (seed: bigint) => {
  let state = seed
  return () => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & ((1n << 64n) - 1n)
    return state >> 16n
  }
}

/** First, last and some addresses of the range, the same in every run. */
export const addressesIn = ({ first, last }: SpecialRange): ReadonlyArray<bigint> => {
  const next = random(first + 2_026n)
  const size = last - first + 1n
  const some = Array.from({ length: 8 }, () => first + (((next() << 96n) | (next() << 48n) | next()) % size))
  return [...new Set([first, last, ...some])]
}

/** The addresses next to the range, where there are any. */
export const neighboursOf = ({ family, first, last }: SpecialRange): ReadonlyArray<bigint> =>
  [first - 1n, last + 1n].filter((address) => address >= 0n && address < 1n << (family === 6 ? 128n : 32n))

export const rangesHolding = (address: bigint, family: 4 | 6): ReadonlyArray<SpecialRange> =>
  specialRanges.filter((one) => one.family === family && address >= one.first && address <= one.last)

/** The eight groups of an IPv6 address. */
export const groupsOf = (address: bigint): ReadonlyArray<bigint> =>
  Array.from({ length: 8 }, (_, index) => (address >> BigInt(16 * (7 - index))) & 0xffffn)
