/**
 * Addresses on the public internet, by the IANA registries of special-purpose addresses in `ipaddr.js`.
 */
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

// Only 2000::/3 is allocated for global unicast. `ipaddr.js` calls the rest of IPv6 unicast, too.
const allocated6 = ipaddr.IPv6.parseCIDR("2000::/3")

/** True of an address on the public internet. False of a text that is no address. */
export const isPublicAddress = (text: string): boolean => {
  // `ipaddr.js` parses short and octal forms, too. `isIP` accepts a zone, which only addresses of one link have.
  if (isIP(text) === 0 || text.includes("%")) return false
  const address = ipaddr.parse(text)
  return address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(allocated6))
}
