/**
 * Where a request comes from. `X-Forwarded-For` is believed only of proxies that
 * the host trusts, since anybody can send one (specification, section 8).
 */
import { IncomingMessage } from "node:http"
import { Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import type { HttpOptions } from "../Options.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The address of a request; `undefined` where there is none to be known. */
export type ClientAddress = (request: Request) => NetAddress.IpAddress | undefined

const parse = (text: string): NetAddress.IpAddress | undefined => {
  // The zone of a link-local address says which of our own interfaces it came by.
  const [address = ""] = text.trim().split("%")
  const bare = NetAddress.ipFromString(
    address.startsWith("[") && address.endsWith("]") ? address.slice(1, -1) : address
  )
  if (Result.isSuccess(bare)) return NetAddress.toCanonical(bare.success)
  // Some proxies write the port too.
  const withPort = NetAddress.inetAddressFromString(address)
  return Result.isSuccess(withPort) ? NetAddress.toCanonical(withPort.success.address) : undefined
}

/** What comes from one address mostly comes together, and often all of it from one proxy. */
export const rememberingLast = <A>(read: (text: string) => A): ((text: string) => A) => {
  let last: { readonly text: string; readonly value: A } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) }
    return last.value
  }
}

/** Where a server listens on both families, IPv4 clients come as IPv6 addresses of a network of their own. */
const unmapped = ({ address, prefixLength }: IpNetwork.IpNetwork): Result.Result<IpNetwork.IpNetwork, unknown> => {
  const canonical = NetAddress.toCanonical(address)
  return IpNetwork.make(canonical, canonical === address ? prefixLength : prefixLength - 96)
}

const networkOf = (text: string): IpNetwork.IpNetwork => {
  const single = Result.map(NetAddress.ipFromString(text), (address) => `${text}/${NetAddress.width(address)}`)
  const network = Result.flatMap(IpNetwork.fromString(Result.getOrElse(single, () => text)), unmapped)
  if (Result.isSuccess(network)) return network.success
  throw new TypeError(`trustedProxies: ${JSON.stringify(text)} is neither an address nor a network such as 10.0.0.0/8`)
}

/** Right to left: what stands further left was said by whoever is further away. */
const forwardedBy = (
  peer: NetAddress.IpAddress,
  forwardedFor: string,
  isTrusted: (address: NetAddress.IpAddress) => boolean
): NetAddress.IpAddress => {
  let client = peer
  for (const text of forwardedFor.split(",").reverse()) {
    const address = parse(text)
    if (address === undefined) return peer
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

/** Whether an address is a proxy of the host. Throws when `trustedProxies` cannot be read. */
const proxiesOf = ({ trustedProxies = [] }: HttpOptions) => {
  const networks = trustedProxies.map((text) => networkOf(String(text)))
  return (address: NetAddress.IpAddress): boolean => networks.some((network) => IpNetwork.contains(network, address))
}

/** Whether a request comes straight from a proxy of the host. Throws when `trustedProxies` cannot be read. */
export const fromTrustedProxy = (options: HttpOptions): ((request: Request) => boolean) => {
  const isTrusted = proxiesOf(options)
  const parsePeer = rememberingLast(parse)
  return ({ peerAddress }) => {
    const peer = parsePeer(Option.getOrElse(peerAddress, () => ""))
    return peer !== undefined && isTrusted(peer)
  }
}

/** Throws when `trustedProxies` cannot be read. */
export const clientAddressOf = (options: HttpOptions): ClientAddress => {
  const isTrusted = proxiesOf(options)
  const { clientAddress } = options
  if (clientAddress !== undefined) {
    return ({ headers, method, source, url }) => parse(clientAddress({ method, url, headers, source }) ?? "")
  }
  const parsePeer = rememberingLast(parse)
  return ({ headers, peerAddress }) => {
    const peer = parsePeer(Option.getOrElse(peerAddress, () => ""))
    const forwardedFor = headers["x-forwarded-for"]
    if (peer === undefined || forwardedFor === undefined || !isTrusted(peer)) return peer
    return forwardedBy(peer, forwardedFor, isTrusted)
  }
}

const forwarding = /^(?:x-forwarded-.*|x-real-ip|forwarded|via|x-client-ip|true-client-ip|cf-connecting-ip)$/

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** A proxy that adds no header passes the public name on, or speaks HTTP/1.0 as nginx does by default. */
const isAskedDirectly = ({ headers, source }: Request): boolean =>
  Object.keys(headers).every((name) => !forwarding.test(name)) &&
  (!(source instanceof IncomingMessage) || (source.httpVersion !== "1.0" && loopbackHost.test(headers["host"] ?? "")))

/** True of a client on this machine. Behind a proxy on it, the peer of every request is. */
export const isFromThisMachine = (request: Request, addressOf: ClientAddress): boolean => {
  const address = addressOf(request)
  return address !== undefined && NetAddress.isLoopback(address) && isAskedDirectly(request)
}

/** What counts as one address: of IPv6 the /64, which is what a single subscriber has at the least. */
export const addressName = (address: NetAddress.IpAddress): string =>
  NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(Result.getOrThrow(IpNetwork.fromAddress(address, 64)))

/**
 * The name of what counts as one address, of an address as text: of IPv6 the
 * /64. `undefined` when it is none.
 *
 * @category addresses
 * @since 0.1.0
 */
export const clientNetwork = (address: string): string | undefined => {
  const parsed = parse(address)
  return parsed === undefined ? undefined : addressName(parsed)
}
