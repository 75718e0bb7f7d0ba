import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { WebhookSender } from "@solar-sites/core"
import { ConfigProvider, Effect, Exit, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { layer, layerConfig, type WebhookSenderOptions } from "../../src/webhooks/index.ts"
import { receiving, request, send } from "./Receiving.ts"

const ok = "HTTP/1.1 200 OK\r\n\r\n"
const isPublic = "198.41.0.4"
const unknown = "must have a host on the public internet, and this one is unknown or private"

const check = (url: string, options: WebhookSenderOptions): Promise<string> =>
  WebhookSender.use((sender) => sender.check(url)).pipe(
    Effect.match({ onSuccess: () => "accepted", onFailure: ({ reason }) => reason }),
    Effect.provide(layer(options)),
    Effect.runPromise
  )

describe("the name of a receiver", () => {
  it("is resolved once per request, and connected to that address", async () => {
    await using receiver = await receiving((socket) => socket.end(ok))
    const asked: Array<string> = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ["127.0.0.1"]
    }
    expect(await send(`http://receiver.test.:${receiver.port}`, { resolve })).toBe("200")
    expect(asked).toEqual(["receiver.test"])
    expect(receiver.received()).toContain(`\r\nHost: receiver.test:${receiver.port}\r\n`)
  })

  it("may have several addresses, of which one listens", async () => {
    await using receiver = await receiving((socket) => socket.end(ok))
    const resolve = async () => ["127.0.0.2", "127.0.0.1"]
    expect(await send(`http://receiver.test:${receiver.port}`, { resolve })).toBe("200")
  })

  it("is refused when its address changes to a private one after the check", async () => {
    await using receiver = await receiving((socket) => socket.end(ok))
    let answers = 0
    const resolve = async () => (answers++ === 0 ? [isPublic] : ["127.0.0.1"])
    const url = `https://rebinding.test:${receiver.port}`
    const [first, second] = await Effect.gen(function* () {
      const sender = yield* WebhookSender
      return [yield* Effect.exit(sender.check(url)), yield* Effect.flip(sender.send(request(url)))] as const
    }).pipe(Effect.provide(layer({ resolve })), Effect.runPromise)
    expect(Exit.isSuccess(first)).toBe(true)
    expect(second).toMatchObject({ reason: "address_not_allowed", detail: `The address ${unknown}.`, status: null })
    expect(answers).toBe(2)
    expect(receiver.sockets).toEqual([])
  })

  it("is refused with one answer when it is unknown and when it is private", async () => {
    expect(await check("https://unknown.test", { resolve: async () => [] })).toBe(unknown)
    expect(await check("https://inside.test", { resolve: async () => ["10.0.0.1"] })).toBe(unknown)
    expect(await check("https://odd.test", { resolve: async () => ["not an address"] })).toBe(unknown)
    expect(await check("https://odd.test", { resolve: async () => ["fe80::1%eth0"] })).toBe(unknown)
    expect(await check("https://good.test", { resolve: async () => [isPublic] })).toBe("accepted")
  })

  it("is a failed connection while its name servers do not answer", async () => {
    const reason = "has a host that cannot be resolved at the moment"
    const failing = { resolve: () => Promise.reject(new Error("hidden")) }
    expect(await check("https://receiver.test", failing)).toBe(reason)
    expect(await send("https://receiver.test", failing)).toBe(`connection: The address ${reason}.`)
    let isAborted = false
    const hanging = (_: string, signal: AbortSignal) => {
      signal.addEventListener("abort", () => (isAborted = true))
      return new Promise<never>(() => {})
    }
    const timeout = "timeout: The receiver does not answer in time."
    expect(await send("https://receiver.test", { resolve: hanging, timeout: "50 millis" })).toBe(timeout)
    expect(isAborted).toBe(true)
  })

  it("is one of the operating system where private addresses are allowed", async () => {
    await using receiver = await receiving((socket) => socket.end(ok))
    expect(await send(`http://localhost:${receiver.port}`)).toBe("200")
  })
})

it("uses no proxy of the environment", async () => {
  await using proxy = await receiving((socket) => socket.end(ok))
  await using receiver = await receiving((socket) => socket.end(ok))
  const address = `http://127.0.0.1:${proxy.port}`
  const child = fileURLToPath(new URL("./sendingProcess.ts", import.meta.url))
  const args = ["--conditions=@solar-sites/source", "--use-env-proxy", child, `http://127.0.0.1:${receiver.port}`]
  const env = { HTTP_PROXY: address, http_proxy: address, HTTPS_PROXY: address, NO_PROXY: "", no_proxy: "" }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
  expect(stdout).toBe("200\n")
  // The plain request shows that the child would use the proxy.
  expect(proxy.sockets).toHaveLength(1)
  expect(receiver.sockets).toHaveLength(1)
})

describe("the options", () => {
  it.each([
    [{ allowPrivate: "yes" }, "allowPrivate of the webhook sender must be true or false; it is another text"],
    [{ timeout: 0 }, 'timeout of the webhook sender must be a duration, such as "5 seconds"; it is 0'],
    [{ timeout: "11 seconds" }, "timeout of the webhook sender must be at most 10 s; it is another text"],
    [{ resolve: {} }, "resolve of the webhook sender must be a function; it is an object"],
    [{ proxy: "x" }, "the webhook sender has no option proxy; it has allowPrivate, timeout, resolve"]
  ])("are checked: %j", (options, message) => {
    // Callers without types can give anything.
    expect(() => layer(options as WebhookSenderOptions)).toThrow(new TypeError(message))
  })

  it.each([
    [{}, "must begin with https://"],
    [{ WEBHOOK_ALLOW_PRIVATE: "false" }, "must begin with https://"],
    [{ WEBHOOK_ALLOW_PRIVATE: "true" }, "accepted"]
  ])("come from the environment: %j", async (environment, expected) => {
    const seen = WebhookSender.use((sender) => sender.check("http://127.0.0.1")).pipe(
      Effect.match({ onSuccess: () => "accepted", onFailure: ({ reason }) => reason }),
      Effect.provide(Layer.provide(layerConfig, ConfigProvider.layer(ConfigProvider.fromUnknown(environment))))
    )
    expect(await Effect.runPromise(seen)).toBe(expected)
  })
})
