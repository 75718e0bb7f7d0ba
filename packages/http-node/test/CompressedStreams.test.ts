import { createBrotliDecompress, createGunzip } from "node:zlib"
import { SiteRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { count, filledSetup, send } from "./CompressionSetup.ts"
import { nodeBinding, type Ports } from "./Setup.ts"

/** The same ports; lists of sites give one page, and wait for `open` before the second. */
const gated = (ports: Ports) => {
  const gate = Promise.withResolvers<void>()
  const waiting = Effect.map(SiteRepository, (repository) => ({
    ...repository,
    list: (...args: Parameters<typeof repository.list>) => {
      const [, , page] = args
      const listed = repository.list(...args)
      return page.after === null
        ? // Concurrent requests all have a response before one of them has a page.
          Effect.delay(listed, 50)
        : Effect.andThen(
            Effect.promise(() => gate.promise),
            listed
          )
    }
  }))
  return {
    ports: Layer.mergeAll(ports, Layer.provide(Layer.effect(SiteRepository, waiting), ports)),
    open: () => gate.resolve()
  }
}

it("sends what it has before the next page is there, for a bounded number of responses at once", async () => {
  const { setup, member } = await filledSetup()
  const { open, ports } = gated(setup.ports)
  const bound = await nodeBinding(ports, { rateLimitPerMinute: 0 })
  try {
    const ask = (accepted: string) => send({ line: "GET /api/sites", accepted, base: bound.base, key: member.key })
    const texts: Array<Promise<string>> = []
    for (const coding of ["br", "gzip"]) {
      const answer = await ask(coding)
      const decoded = answer.pipe(coding === "br" ? createBrotliDecompress() : createGunzip()).setEncoding("utf8")
      const first = await new Promise<string>((resolve) => decoded.once("data", resolve))
      expect(first).toMatch(/^\{"data":\[\{"id":/)
      texts.push(
        (async () => {
          let text = first
          for await (const piece of decoded) text += piece
          return text
        })()
      )
    }
    // Asked for together, so that all have headers before one of the streams begins.
    const others = await Promise.all(Array.from({ length: 18 }, () => ask("gzip")))
    const codings = others.map(({ headers }) => headers["content-encoding"] ?? "identity")
    expect(codings.toSorted()).toEqual([
      ...Array.from({ length: 14 }, () => "gzip"),
      ...Array.from({ length: 4 }, () => "identity")
    ])
    for (const other of others) other.destroy()
    open()
    for (const text of await Promise.all(texts)) expect(JSON.parse(text).data).toHaveLength(count)
  } finally {
    open()
    await bound.close()
    await setup.close()
  }
})
