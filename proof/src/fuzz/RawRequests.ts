/**
 * Oddities of HTTP that no client library sends, over a socket.
 */
import { connect } from "node:net"
import * as fc from "fast-check"

/** `valid`: answered with 2xx; `invalid`: with another status or by the end of the connection; `open`: either. */
type Expected = "valid" | "invalid" | "open"

interface RawRequest {
  readonly what: string
  readonly expected: Expected
  readonly text: string
}

const body = JSON.stringify({ siteName: "Raw", capacity: 1, unit: "kW" })
const length = `content-length: ${body.length}`

/** `KEY` and `HOST` stand for those of the run. */
const request = (line: string, headers: ReadonlyArray<string>, sent = ""): string =>
  [line, "host: HOST", "x-api-key: KEY", "connection: close", ...headers, "", sent].join("\r\n")
const post = (headers: ReadonlyArray<string>, sent: string): string =>
  request("POST /api/sites HTTP/1.1", ["content-type: application/json", ...headers], sent)
const get = (headers: ReadonlyArray<string> = [], line = "GET /api/me HTTP/1.1"): string => request(line, headers)

const chunksOf = (sizes: ReadonlyArray<number>, extension: string): string => {
  const chunks: Array<string> = []
  let rest = body
  for (const size of sizes) {
    const chunk = rest.slice(0, size)
    rest = rest.slice(size)
    if (chunk !== "") chunks.push(`${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`)
  }
  if (rest !== "") chunks.push(`${rest.length.toString(16)}\r\n${rest}\r\n`)
  return chunks.join("")
}

const chunked = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
    fc.constantFrom("", ";a=b", ";a", `;a="b"`),
    fc.constantFrom("", "x-trailer: 1\r\n"),
    fc.constantFrom("chunked", "Chunked")
  )
  .map(
    ([sizes, extension, trailer, coding]): RawRequest => ({
      what: "chunks",
      expected: "valid",
      text: post([`transfer-encoding: ${coding}`], `${chunksOf(sizes, extension)}0\r\n${trailer}\r\n`)
    })
  )

const of = (what: string, expected: Expected, ...texts: ReadonlyArray<string>): fc.Arbitrary<RawRequest> =>
  fc.constantFrom(...texts).map((text) => ({ what, expected, text }))

const inChunks = (sent: string): string => post(["transfer-encoding: chunked"], sent)

const lengths = ["-1", "+5", "0x10", "1e2", "5, 6", "99999999999999999999", "", " "]
const lines = ["GET /api/me HTTP/9.9", "get /api/me HTTP/1.1"]
const targets = [
  "http://HOST/api/me",
  "*",
  "/api/me#a",
  "/api/me?%",
  "/api/\u00e4",
  "/api/m e",
  "//api/me",
  "/\\api/me",
  `/${"a".repeat(8_000)}`
]

/** One oddity, or a plain request in an unusual form. */
export const rawRequest: fc.Arbitrary<RawRequest> = fc.oneof(
  chunked,
  of(
    "a bad chunk size",
    "invalid",
    ...["x", "-5", " 5", "5 5", "ffffffffffffffffff"].map((size) => inChunks(`${size}\r\n${body}\r\n0\r\n\r\n`))
  ),
  of("chunks that end early", "invalid", inChunks("ff\r\n{"), inChunks("5\r\n{"), inChunks(`${chunksOf([5], "")}0`)),
  of(
    "two lengths",
    "invalid",
    post([length, "content-length: 3"], body),
    post([length, "transfer-encoding: chunked"], `${chunksOf([], "")}0\r\n\r\n`)
  ),
  of(
    "an odd coding",
    "invalid",
    ...["chunked, chunked", "identity", "chunked, gzip", "xchunked"].map((coding) =>
      post([`transfer-encoding: ${coding}`], `${chunksOf([], "")}0\r\n\r\n`)
    )
  ),
  of("a bad length", "invalid", ...lengths.map((one) => post([`content-length: ${one}`], body))),
  of("a short length", "invalid", post(["content-length: 3"], body), post(["content-length: 0"], body)),
  of("line feeds alone", "invalid", get().replaceAll("\r\n", "\n"), post([length], body).replaceAll("\r\n", "\n")),
  of("a bad header", "invalid", get(["x-a : b"]), get(["x-a: \0"]), get(["x\u00e4: b"]), get([": b"]), get(["x-a"])),
  of("a folded header", "open", get(["x-a: b\r\n c"]), get(["x-a: b\r\n\tc"])),
  of(
    "long headers",
    "invalid",
    get([`x-a: ${"b".repeat(100_000)}`]),
    get(Array.from({ length: 1_500 }, (_, index) => `x-header-${index}: ${"b".repeat(50)}`))
  ),
  of(
    "many headers",
    "valid",
    get(Array.from({ length: 90 }, (_, index) => `x-${index}: b`)),
    get(["x-a: b", "x-a: c", "accept: */*", "accept: application/json"])
  ),
  of(
    "hosts",
    "open",
    get().replace("host: HOST\r\n", ""),
    get(["host: other"]),
    get().replace("host: HOST", "host: a b")
  ),
  of("an odd request line", "invalid", ...lines.map((line) => get([], line))),
  of("an odd target", "open", ...targets.map((target) => get([], `GET ${target} HTTP/1.1`))),
  of(
    "another version, or more spaces",
    "open",
    ...["GET /api/me HTTP/1.0", "GET /api/me HTTP/2.0", "GET /api/me", "GET  /api/me HTTP/1.1"].map((line) =>
      get([], line)
    )
  ),
  of("two keys", "invalid", get(["x-api-key: KEY"])),
  of("requests in a pipeline", "valid", get().replace("connection: close\r\n", "") + get()),
  of("a continued request", "valid", post([length, "expect: 100-continue"], body)),
  of("an unknown expectation", "invalid", post([length, "expect: tea"], body)),
  of(
    "other protocols",
    "invalid",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00",
    "EHLO a\r\n",
    "\r\n\r\n\r\n"
  )
)

/** Statuses on one connection, until its end; ends it after so long without data. */
const statusesOf = (port: number, text: string, silenceMillis: number): Promise<ReadonlyArray<number>> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    let answer = ""
    socket.setTimeout(silenceMillis, () => socket.destroy())
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      answer += chunk
    })
    // Resets are an answer too.
    socket.once("error", () => {})
    socket.once("close", () =>
      resolve([...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)))
    )
    // Not ended: a server of Node drops answers to a client that has sent its end.
    socket.write(Buffer.from(text, "latin1"))
  })

/** Faults of the answers to a request. */
export const faultsOfRaw = async (
  address: string,
  key: string,
  { expected, text, what }: RawRequest
): Promise<ReadonlyArray<string>> => {
  const { host, port } = new URL(address)
  const sent = text.replaceAll("HOST", host).replaceAll("KEY", key)
  const statuses = (await statusesOf(Number(port), sent, expected === "valid" ? 30_000 : 1_000)).filter(
    (status) => status !== 100
  )
  const [last = 0] = statuses.slice(-1)
  const isSuccess = last >= 200 && last < 300
  if (statuses.some((status) => status >= 500 && status !== 505)) return [`${what}: status ${statuses.join(", ")}`]
  const isWrong = (expected === "valid" && !isSuccess) || (expected === "invalid" && isSuccess)
  return isWrong ? [`${what}: status ${statuses.join(", ") || "none"}, expected ${expected}`] : []
}
