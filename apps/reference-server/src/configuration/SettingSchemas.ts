/**
 * Schemas of the settings of the server alone. Each message completes the sentence that
 * begins with the name of the variable.
 */
import { baseAddress, isOrigin, textThat } from "@solar-sites/core/options"
import { Result, Schema, SchemaTransformation } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

/** A host name or an IP address to listen on, without scheme, port or brackets. */
export const Host = textThat(
  (text) => /^[A-Za-z0-9_.:%-]+$/.test(text),
  "must be a host name or an IP address without scheme and port, such as 127.0.0.1"
)

/** Base address of an OTLP collector over HTTP, without the path of a signal. */
export const OtlpEndpoint = baseAddress("http://127.0.0.1:4318")

/** Address of map tiles. Its origin goes into the content security policy of the console. */
export const TileUrl = textThat(
  (text) =>
    ["{z}", "{x}", "{y}"].every((part) => text.includes(part)) &&
    !/[\s"'<>;,\\]/.test(text) &&
    /^https?:\/\/[^/{}?#@]+\//.test(text) &&
    URL.canParse(text),
  "must be an http or https address with {z}, {x} and {y} in its path, such as https://tiles.example.com/{z}/{x}/{y}.png"
)

export const PlainLine = textThat((text) => text.length <= 500 && !/\p{Cc}/u.test(text), "must be a line of text")

const listOf = (isItem: (text: string) => boolean, message: string) => {
  const itemsOf = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())
  return textThat((text) => itemsOf(text).every(isItem), message).pipe(
    Schema.decodeTo(
      Schema.Array(Schema.String),
      SchemaTransformation.transform({ decode: itemsOf, encode: (items: ReadonlyArray<string>) => items.join(",") })
    )
  )
}

/** Origins as browsers send them, comma-separated. `*` is refused: each origin is named. */
export const Origins = listOf(
  isOrigin,
  "must be origins with commas between them, such as https://app.example.com,https://admin.example.com"
)

const isNetwork = (text: string): boolean => {
  const network = IpNetwork.fromString(text)
  if (Result.isFailure(network)) return Result.isSuccess(NetAddress.ipFromString(text))
  // A network of IPv4-mapped addresses must not contain other addresses.
  const { address, prefixLength } = network.success
  return NetAddress.toCanonical(address) === address || prefixLength >= 96
}

/** IP addresses and networks, comma-separated. */
export const Proxies = listOf(
  isNetwork,
  "must be IP addresses or networks with commas between them, such as 10.0.0.0/8,192.0.2.7,fd00::/8"
)

/** Characters of a bearer token. */
export const BearerToken = textThat(
  (text) => /^[\x21-\x7e]+$/.test(text),
  "must be a token of letters, digits and signs, without spaces"
)

/** `hostname` of a URL. */
export const isLoopbackName = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

const isTimeZone = (text: string): boolean => {
  // `Intl` takes offsets such as +01:00, too.
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

/** A name of the IANA database. */
export const TimeZone = textThat(isTimeZone, "must be a time zone of the IANA database, such as Europe/Berlin or UTC")
