/**
 * Addresses that are not on the public internet: IANA IPv4 and IPv6 Special-Purpose Address
 * Registries, IPv4 Multicast Address Space, and IPv6 Address Space.
 */
import { BlockList, isIP } from "node:net"

const ipv4 = [
  "0.0.0.0/8", // this network, unspecified
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4" // reserved, broadcast
]

/**
 * Only 2000::/3 is allocated for global unicast. The first three rows are all else: unspecified,
 * loopback, IPv4-mapped and -compatible, NAT64, unique local, link-local, multicast, reserved.
 */
const ipv6 = [
  "::/3",
  "4000::/2",
  "8000::/1",
  "2001::/23", // protocol assignments, Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "2620:4f:8000::/48", // AS112
  "3fff::/20" // documentation
]

// A list for each family: a rule for IPv6 also applies to the IPv4 addresses mapped into it.
const listOf = (family: "ipv4" | "ipv6", networks: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", prefix] = network.split("/")
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const special4 = listOf("ipv4", ipv4)
const special6 = listOf("ipv6", ipv6)

/** True of an address on the public internet. False of a text that is no address. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  // `isIP` accepts a zone, which only addresses of one link have.
  if (family === 0 || address.includes("%")) return false
  return family === 4 ? !special4.check(address, "ipv4") : !special6.check(address, "ipv6")
}
