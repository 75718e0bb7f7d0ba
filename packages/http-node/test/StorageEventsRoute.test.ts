import { Effect, Layer, Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { describe, expect, it } from "vitest"
import { routes } from "../src/index.ts"
import { makeSetup } from "./Setup.ts"

const token = "a-token+of/notifications="
const authorization = `Bearer ${token}`
const storageEvents = { token: Redacted.make(token), read: () => Effect.succeed([]) }

describe("notifications of a storage in an Effect server", () => {
  it("have a route of their own", async () => {
    const setup = await makeSetup()
    const app = routes({ prefix: "/solar", storageEvents }).pipe(Layer.provide(setup.ports))
    const { dispose, handler } = HttpRouter.toWebHandler(app, { disableLogger: true })
    const response = await handler(
      new Request("http://localhost/solar/storage-events", { method: "POST", headers: { authorization }, body: "[]" })
    )
    expect(response.status).toBe(204)
    await dispose()
    await setup.close()
  })
})
