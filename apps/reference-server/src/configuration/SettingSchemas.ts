/**
 * What the value of a setting must look like. Each message completes the
 * sentence that begins with the variable's name.
 *
 * @since 0.1.0
 */
import { Result, Schema, SchemaTransformation } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

const textThat = (holds: (text: string) => boolean, message: string) =>
  Schema.String.check(Schema.makeFilter(holds, { message }))

const httpAddress = (example: string) =>
  textThat((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === ""
  }, `must be an http or https address without credentials, query and fragment, such as ${example}`)

/**
 * A whole number from `minimum` to `maximum`, in decimal digits alone.
 *
 * @category schemas
 * @since 0.1.0
 */
export const wholeNumber = (minimum: number, maximum: number) =>
  textThat(
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    `must be a whole number from ${minimum} to ${maximum}`
  ).pipe(Schema.decodeTo(Schema.Finite, SchemaTransformation.numberFromString))

/**
 * A name or an address to listen on, without scheme, port or brackets.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Host = textThat(
  (text) => /^[A-Za-z0-9_.:%-]+$/.test(text),
  "must be a host name or an IP address without scheme and port, such as 127.0.0.1"
)

const withoutSlash = SchemaTransformation.transform({
  decode: (text: string) => new URL(text).href.replace(/\/+$/, ""),
  encode: (text: string) => text
})

/**
 * An address on which others reach the server; kept without a slash at its end.
 *
 * @category schemas
 * @since 0.1.0
 */
export const PublicUrl = httpAddress("https://solar.example.com").pipe(Schema.decodeTo(Schema.String, withoutSlash))

/**
 * The address of a collector that takes OTLP over HTTP, without the path of a
 * signal; kept without a slash at its end.
 *
 * @category schemas
 * @since 0.1.0
 */
export const OtlpEndpoint = httpAddress("http://127.0.0.1:4318").pipe(Schema.decodeTo(Schema.String, withoutSlash))

/**
 * The address of a Postgres database.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DatabaseUrl = textThat(
  (text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text),
  "must be the address of a Postgres database, such as postgres://user:password@host:5432/database"
)

/**
 * The name of a schema in Postgres, which tells names apart by 63 bytes and keeps
 * some for itself.
 *
 * @category schemas
 * @since 0.1.0
 */
export const DatabaseSchema = textThat(
  (text) => !/^pg_|^information_schema$|\p{Cc}/iu.test(text) && text.isWellFormed() && Buffer.byteLength(text) <= 63,
  "must be a name of at most 63 bytes that Postgres does not keep for itself"
)

/**
 * The name of a bucket, as AWS and compatible stores allow it.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Bucket = textThat(
  (text) => /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(text),
  "must be the name of a bucket"
)

/**
 * The address of a store that speaks like S3; its path is left to the bucket.
 *
 * @category schemas
 * @since 0.1.0
 */
export const S3Endpoint = httpAddress("https://s3.example.com")

/**
 * @category schemas
 * @since 0.1.0
 */
export const S3Region = textThat(
  (text) => /^[A-Za-z0-9-]+$/.test(text),
  "must be the name of a region, such as eu-central-1"
)

/**
 * @category schemas
 * @since 0.1.0
 */
export const Flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: (flag) => (flag ? "true" : "false") })
  )
)

/**
 * The address of a Redis server; its path can be the number of a database.
 *
 * @category schemas
 * @since 0.1.0
 */
export const RedisUrl = textThat(
  (text) => /^rediss?:\/\/[^/]/.test(text) && /^(\/\d*)?$/.test(URL.parse(text)?.pathname ?? "?"),
  "must be the address of a Redis server, such as redis://user:password@host:6379, or rediss:// for TLS"
)

/**
 * Where pictures of a map come from. It names its one origin, which the pages of
 * the console are allowed to load pictures from.
 *
 * @category schemas
 * @since 0.1.0
 */
export const TileUrl = textThat(
  (text) =>
    ["{z}", "{x}", "{y}"].every((part) => text.includes(part)) &&
    !/[\s"'<>;,\\]/.test(text) &&
    /^https?:\/\/[^/{}?#@]+\//.test(text) &&
    URL.canParse(text),
  "must be an http or https address with {z}, {x} and {y} in its path, such as https://tiles.example.com/{z}/{x}/{y}.png"
)

/**
 * @category schemas
 * @since 0.1.0
 */
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

/**
 * Origins as browsers send them, with commas between them. `*` is none: whoever
 * is allowed is named.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Origins = listOf(
  (text) =>
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*@]+$/.test(text) && (!/^https?:/.test(text) || URL.parse(text)?.origin === text),
  "must be origins with commas between them, such as https://app.example.com,https://admin.example.com"
)

const isNetwork = (text: string): boolean => {
  const network = IpNetwork.fromString(text)
  if (Result.isFailure(network)) return Result.isSuccess(NetAddress.ipFromString(text))
  // What stands for IPv4 addresses is no network of others, too.
  const { address, prefixLength } = network.success
  return NetAddress.toCanonical(address) === address || prefixLength >= 96
}

/**
 * Addresses and networks, with commas between them.
 *
 * @category schemas
 * @since 0.1.0
 */
export const Proxies = listOf(
  isNetwork,
  "must be IP addresses or networks with commas between them, such as 10.0.0.0/8,192.0.2.7,fd00::/8"
)

/**
 * What can be sent as a bearer token.
 *
 * @category schemas
 * @since 0.1.0
 */
export const BearerToken = textThat(
  (text) => /^[\x21-\x7e]+$/.test(text),
  "must be a token of letters, digits and signs, without spaces"
)
