/**
 * The address of the client. `X-Forwarded-For` is read only when a trusted proxy has sent it,
 * because every client can send the header (specification, section 8).
 */
import { Effect, Option, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"
import type { HttpOptions } from "../Options.ts"
import { isNodeRequest } from "./NodeBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/** `undefined` where the address is not known. */
export type ClientAddress = (request: Request) => NetAddress.IpAddress | undefined

const parse = (text: string): NetAddress.IpAddress | undefined => {
  // The zone of a link-local address names an interface of this machine.
  const [address = ""] = text.trim().split("%")
  const bare = NetAddress.ipFromString(
    address.startsWith("[") && address.endsWith("]") ? address.slice(1, -1) : address
  )
  if (Result.isSuccess(bare)) return NetAddress.toCanonical(bare.success)
  // Some proxies write the port too.
  const withPort = NetAddress.inetAddressFromString(address)
  return Result.isSuccess(withPort) ? NetAddress.toCanonical(withPort.success.address) : undefined
}

/** Remembers the last result: consecutive requests often have the same address, such as a proxy. */
export const rememberingLast = <A>(read: (text: string) => A): ((text: string) => A) => {
  let last: { readonly text: string; readonly value: A } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, value: read(text) }
    return last.value
  }
}

/** A server that listens on both families sees IPv4 clients as IPv4-mapped IPv6 addresses. */
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

/** From right to left: each proxy appends the address of its own peer. */
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

/** Throws a TypeError when `trustedProxies` cannot be parsed. */
const proxiesOf = ({ trustedProxies = [] }: HttpOptions) => {
  const networks = trustedProxies.map((text) => networkOf(String(text)))
  return (address: NetAddress.IpAddress): boolean => networks.some((network) => IpNetwork.contains(network, address))
}

/** True when the peer of a request is a trusted proxy. Throws a TypeError when `trustedProxies` cannot be parsed. */
export const fromTrustedProxy = (options: HttpOptions): ((request: Request) => boolean) => {
  const isTrusted = proxiesOf(options)
  const parsePeer = rememberingLast(parse)
  return ({ peerAddress }) => {
    const peer = parsePeer(Option.getOrElse(peerAddress, () => ""))
    return peer !== undefined && isTrusted(peer)
  }
}

/** Throws a TypeError when `trustedProxies` cannot be parsed. */
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

const proxyHeader = /^(?:x-forwarded-.*|x-real-ip|forwarded|via|x-client-ip|true-client-ip|cf-connecting-ip)$/

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** False behind a proxy: one that adds no header passes the public `Host` on, or speaks HTTP/1.0 as nginx does by default. */
const isDirect = ({ headers, source }: Request): boolean =>
  Object.keys(headers).every((name) => !proxyHeader.test(name)) &&
  (!isNodeRequest(source) || (source.httpVersion !== "1.0" && loopbackHost.test(headers["host"] ?? "")))

/** True of a client on this machine; false for requests through a proxy on it. */
export const isFromThisMachine = (request: Request, addressOf: ClientAddress): boolean => {
  const address = addressOf(request)
  return address !== undefined && NetAddress.isLoopback(address) && isDirect(request)
}

/** The text that limits count by: an IPv4 address, or the /64 network of an IPv6 address, the least that a subscriber gets. */
export const addressName = (address: NetAddress.IpAddress): string =>
  NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(Result.getOrThrow(IpNetwork.fromAddress(address, 64)))

/**
 * The text that limits count an address by: an IPv4 address as it is, of IPv6 the /64 network.
 * `undefined` when the text is no address.
 */
export const clientNetwork = (address: string): string | undefined => {
  const parsed = parse(address)
  return parsed === undefined ? undefined : addressName(parsed)
}

/**
 * Logs once, with the first `X-Forwarded-For` of a peer that is not trusted: the clients of a
 * proxy that is not listed share one limit on failed authentications.
 */
export const warningOfProxies = (options: HttpOptions) => {
  const isFromProxy = fromTrustedProxy(options)
  let isDone = options.clientAddress !== undefined
  return <A, E, R>(request: Request, answer: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    if (isDone || request.headers["x-forwarded-for"] === undefined || isFromProxy(request)) return answer
    isDone = true
    const peer = Option.getOrElse(request.peerAddress, () => "an unknown address")
    const sentence = `X-Forwarded-For of ${peer} is ignored. If that is your proxy, name it in trustedProxies (TRUSTED_PROXIES)`
    return Effect.andThen(Effect.logWarning(`${sentence}; until then all its clients count as one address.`), answer)
  }
}
