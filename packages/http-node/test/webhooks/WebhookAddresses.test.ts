import { WebhookSender } from "@solar-sites/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layer, type WebhookSenderOptions } from "../../src/webhooks/index.ts"
import { addressesIn, groupsOf, neighboursOf, rangesHolding, specialRanges } from "./SpecialRanges.ts"

const check = (url: string, options: WebhookSenderOptions = {}): Promise<string> =>
  WebhookSender.use((sender) => sender.check(url)).pipe(
    Effect.match({ onSuccess: () => "accepted", onFailure: ({ reason }) => reason }),
    Effect.provide(layer(options)),
    Effect.runPromise
  )

const notPublic = "must have a host on the public internet, and this one is unknown or private"

const hex = (value: bigint, length = 0) => value.toString(16).padStart(length, "0")

const dotted = (address: bigint) => [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 0xffn)

/** Spellings of an IPv4 address that a URL may have. */
const spellingsOfIpv4 = (address: bigint): ReadonlyArray<string> => {
  const parts = dotted(address)
  const [a = 0n, b = 0n] = parts
  const plain = parts.join(".")
  const written = [
    plain,
    `${address}`,
    `0x${hex(address)}`,
    `0X${hex(address).toUpperCase()}`,
    `0${address.toString(8)}`,
    parts.map((part) => `0x${hex(part)}`).join("."),
    parts.map((part) => `0${part.toString(8)}`).join("."),
    parts.map((part) => `000${part.toString(8)}`).join("."),
    `${a}.${address & 0xffffffn}`,
    `${a}.0x${hex(address & 0xffffffn)}`,
    `${a}.${b}.${address & 0xffffn}`,
    plain.replace(/\d/g, (digit) => `%3${digit}`),
    plain.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    plain.replaceAll(".", "。")
  ]
  return written.flatMap((host) => [host, `${host}.`])
}

/** IPv6 addresses that stand for an IPv4 address. All are refused, also those of public ones. */
const embeddingsOf = (address: bigint): ReadonlyArray<string> => {
  const plain = dotted(address).join(".")
  const [high, low] = [hex(address >> 16n), hex(address & 0xffffn)]
  return [
    `::ffff:${plain}`,
    `::FFFF:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `0000:0000:0000:0000:0000:ffff:${plain}`,
    `::${plain}`,
    `::ffff:0:${plain}`,
    `64:ff9b::${plain}`,
    `64:ff9b:1::${plain}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`
  ].map((host) => `[${host}]`)
}

const spellingsOfIpv6 = (address: bigint): ReadonlyArray<string> => {
  const groups = groupsOf(address)
  const full = groups.map((group) => hex(group, 4)).join(":")
  const tail = dotted(address & 0xffffffffn).join(".")
  const short = new URL(`http://[${full}]`).hostname.slice(1, -1)
  const mixed = [...groups.slice(0, 6).map((group) => hex(group)), tail].join(":")
  return [full, full.toUpperCase(), groups.map((group) => hex(group)).join(":"), short, mixed].map(
    (host) => `[${host}]`
  )
}

const urlsOf = (host: string) => [`https://${host}`, `https://${host}:8443/a?b=c#d`, ` HTTPS:\\\\${host}\\x`]

describe("a URL", () => {
  it.each(specialRanges)("with an address of $network ($use) is refused in every spelling", async (range) => {
    for (const address of addressesIn(range)) {
      const spellings =
        range.family === 4 ? [...spellingsOfIpv4(address), ...embeddingsOf(address)] : spellingsOfIpv6(address)
      for (const url of spellings.flatMap(urlsOf)) expect(await check(url), url).toBe(notPublic)
    }
  })

  it.each(specialRanges)("with a name that resolves to an address of $network ($use) is refused", async (range) => {
    const safe = ["198.41.0.4", "2001:503:ba3e::2:30"]
    for (const address of addressesIn(range)) {
      const spellings = range.family === 4 ? [dotted(address).join(".")] : spellingsOfIpv6(address)
      for (const found of spellings.map((spelling) => spelling.replace(/[[\]]/g, ""))) {
        for (const all of [[found], [...safe, found], [found, ...safe]]) {
          expect(await check("https://receiver.test", { resolve: async () => all }), found).toBe(notPublic)
        }
      }
    }
  })

  it.each(specialRanges)("with an address beside $network ($use) is accepted outside of all ranges", async (range) => {
    for (const address of neighboursOf(range)) {
      const expected = rangesHolding(address, range.family).length === 0 ? "accepted" : notPublic
      const spellings = range.family === 4 ? spellingsOfIpv4(address) : spellingsOfIpv6(address)
      for (const spelling of spellings) expect(await check(`https://${spelling}`), spelling).toBe(expected)
    }
  })

  it("with the embedded form of a public address is refused", async () => {
    for (const host of embeddingsOf(0x08080808n)) expect(await check(`https://${host}/`), host).toBe(notPublic)
  })

  it.each([
    ["http://8.8.8.8", "must begin with https://"],
    ["ftp://8.8.8.8", "must begin with https://"],
    ["file:///etc/hosts", "must begin with https://"],
    ["https://user@8.8.8.8", "must not hold a user or password"],
    ["https://:pass@8.8.8.8", "must not hold a user or password"],
    ["https://8.8.8.8@127.0.0.1", "must not hold a user or password"],
    ["https://[fe80::1%25eth0]", "must be a URL"],
    ["https://[fe80::1%eth0]", "must be a URL"],
    ["https://1.2.3.256", "must be a URL"],
    ["https://", "must be a URL"],
    ["8.8.8.8", "must be a URL"]
  ])("is refused: %s", async (url, reason) => {
    expect(await check(url)).toBe(reason)
  })

  it("may have http and a private address where private addresses are allowed, and no other scheme", async () => {
    for (const url of ["http://127.0.0.1:3000/x", "https://10.0.0.1", "http://[::1]", "https://8.8.8.8"]) {
      expect(await check(url, { allowPrivate: true })).toBe("accepted")
    }
    expect(await check("ftp://127.0.0.1", { allowPrivate: true })).toBe("must begin with https:// or http://")
    expect(await check("http://a@127.0.0.1", { allowPrivate: true })).toBe("must not hold a user or password")
  })
})
