import { migrate, pendingMigrations, withMigrations } from "@solar-sites/adapter-postgres"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"

const own = withMigrations([{ name: "billing_0001_invoices", sql: () => "" }])

describe("await, which runs no effect", () => {
  it("is refused by the compiler and when it runs", async () => {
    const refusal =
      /^\w+ is an Effect, which await does not run: await promises\.(migrate|pendingMigrations)\(database\)/
    await expect(async () => {
      // @ts-expect-error: the compiler says that it is no promise
      await migrate
    }).rejects.toThrow(refusal)
    await expect(async () => {
      // @ts-expect-error
      await pendingMigrations
    }).rejects.toThrow(refusal)
    await expect(async () => {
      // @ts-expect-error
      await own.migrate
    }).rejects.toThrow(refusal)
    await expect(async () => {
      // @ts-expect-error
      await own.pendingMigrations
    }).rejects.toThrow(refusal)
  })

  it("is not in the way of what makes another effect of it", () => {
    for (const effect of [migrate, own.pendingMigrations]) {
      expect(Effect.isEffect(effect)).toBe(true)
      expect("then" in Effect.asVoid(effect)).toBe(false)
    }
  })
})
