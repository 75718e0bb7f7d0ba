import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { afterAll, beforeAll, expect, it } from "vitest"
import { resolveLocalName, resolverAt } from "../../src/webhooks/NameResolution.ts"

const codes = { ok: 0, serverFailure: 2, unknownName: 3 }
const types = { A: 1, CNAME: 5, AAAA: 28 }

const encodedName = (name: string) =>
  Buffer.concat([...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)])

/** One record: name, type, class IN, a time to live of 60 s, data. */
const record = (name: string, type: number, data: Buffer) => {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(60, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([encodedName(name), head, data])
}

const a = (name: string, last: number) => record(name, types.A, Buffer.of(198, 41, 0, last))
const aaaa = (name: string) => record(name, types.AAAA, Buffer.from("20010503ba3e00000000000000020030", "hex"))

/** Code and records of an answer, or null for none. */
const answerTo = (name: string, type: number): readonly [code: number, records: ReadonlyArray<Buffer>] | null => {
  const isA = type === types.A
  switch (name) {
    case "both.test":
      return [codes.ok, isA ? [a(name, 4), a(name, 5)] : [aaaa(name)]]
    case "alias.test":
      return [codes.ok, isA ? [record(name, types.CNAME, encodedName("x.test")), a("x.test", 6)] : []]
    case "half.test":
      return isA ? [codes.ok, [a(name, 7)]] : [codes.serverFailure, []]
    case "empty.test":
      return [codes.ok, []]
    case "unknown.test":
      return [codes.unknownName, []]
    case "broken.test":
      return [codes.serverFailure, []]
    default:
      return null
  }
}

const nameIn = (query: Buffer): string => {
  const labels: Array<string> = []
  for (let at = 12, length = query[at] ?? 0; length > 0; at += length + 1, length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
  }
  return labels.join(".").toLowerCase()
}

let server: Socket
let servers: ReadonlyArray<string>
const asked: Array<string> = []

beforeAll(async () => {
  server = createSocket("udp4")
  server.on("message", (query, { address, port }) => {
    const name = nameIn(query)
    asked.push(name)
    const questionEnd = 12 + encodedName(name).length + 4
    const answer = answerTo(name, query.readUInt16BE(questionEnd - 4))
    if (answer === null) return
    const [code, records] = answer
    const head = Buffer.from(query.subarray(0, 12))
    head.writeUInt16BE(0x8180 | code, 2)
    for (const [index, count] of [1, records.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * index)
    server.send(Buffer.concat([head, query.subarray(12, questionEnd), ...records]), port, address)
  })
  server.bind(0, "127.0.0.1")
  await once(server, "listening")
  servers = [`127.0.0.1:${server.address().port}`]
})
afterAll(() => server.close())

const resolve = (name: string, signal = new AbortController().signal) => resolverAt(servers)(name, signal)

it.each([
  ["all addresses of both families", "both.test", ["198.41.0.4", "198.41.0.5", "2001:503:ba3e::2:30"]],
  ["the address of an alias", "alias.test", ["198.41.0.6"]],
  ["the addresses of one family when the other fails", "half.test", ["198.41.0.7"]],
  ["no address of a name that has none", "empty.test", []],
  ["no address of an unknown name", "unknown.test", []],
  ["no address of a text that is no name", "a..b", []]
])("finds %s", async (_, name, expected) => {
  expect((await resolve(name)).toSorted()).toEqual(expected)
})

it("fails when name servers fail, and ends when it is aborted", async () => {
  await expect(resolve("broken.test")).rejects.toMatchObject({ code: "ESERVFAIL" })
  const controller = new AbortController()
  const ended = expect(resolve("silent.test", controller.signal)).rejects.toMatchObject({ code: "ECANCELLED" })
  while (!asked.includes("silent.test")) await new Promise((next) => setTimeout(next, 5))
  controller.abort()
  await ended
})

it("asks the name servers of the system by default, and finds no address of a text that is no name", async () => {
  expect(await resolverAt()("a..b", new AbortController().signal)).toEqual([])
})

it("asks the operating system, which finds no address of a text that is no name", async () => {
  const { signal } = new AbortController()
  expect(await resolveLocalName("a..b", signal)).toEqual([])
  await expect(resolveLocalName("a\0b", signal)).rejects.toThrow(TypeError)
})
