import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { apiKeyKind, CalendarDate, documentKind, Records, siteKind, UserId } from "@solar-sites/core"
import {
  apiKeyStoreConformance,
  documentRepositoryConformance,
  MemoryAdapters,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { notices } from "./breaking.ts"
import { failedCases } from "./failedCases.ts"
import { storing } from "./StoreBreaking.ts"

const instants = "keeps instants to the millisecond (in Europe/Berlin)"
const created = "finds an inserted site unchanged"
const days = "keeps every member, set or null (in Europe/Berlin)"

type LocalTime = [year: number, month: number, day: number, hour: number, minute: number, second: number, ms: number]

const localTime = (instant: DateTime.Utc): LocalTime => {
  const date = new Date(instant.epochMilliseconds)
  const day = [date.getFullYear(), date.getMonth(), date.getDate()] as const
  return [...day, date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds()]
}

/** Local times as a database without time zones keeps them. */
const readLocal = (instant: DateTime.Utc) => DateTime.makeUnsafe(new Date(...localTime(instant)).getTime())
const readAsUtc = (instant: DateTime.Utc) => DateTime.makeUnsafe(Date.UTC(...localTime(instant)))

/** The day as a driver reads it that takes a day for a local midnight. */
const localDay = (day: CalendarDate | null) =>
  day === null ? null : CalendarDate.make(new Date(`${day}T00:00:00`).toISOString().slice(0, 10))

notices(
  siteRepositoryConformance,
  Records,
  [readLocal, readAsUtc].map((read) => ({
    breakage: `stores local times, which ${read.name} gives back`,
    replace: storing(siteKind, ({ createdAt, updatedAt }) => ({
      createdAt: read(createdAt),
      updatedAt: read(updatedAt)
    })),
    noticedBy: [instants] as const
  }))
)

notices(documentRepositoryConformance, Records, [
  {
    breakage: "reads days as local midnights",
    replace: storing(documentKind, ({ validUntil }) => ({ validUntil: localDay(validUntil) })),
    noticedBy: [days]
  }
])

notices(apiKeyStoreConformance, Records, [
  {
    breakage: "normalises the id of the user who has created a key",
    replace: storing(apiKeyKind, ({ createdBy }) => ({
      createdBy: createdBy === null ? null : UserId.make(createdBy.normalize("NFC"))
    })),
    noticedBy: ["finds an inserted key unchanged, by id and by digest"]
  }
])

describe("a case about time", () => {
  it("leaves the time zone of the process as it was", async () => {
    const before = process.env["TZ"]
    expect(await failedCases(siteRepositoryConformance, MemoryAdapters.layer, [instants, created])).toEqual([])
    expect(process.env["TZ"]).toBe(before)
  })

  it.skipIf(new Date(2026, 6).getTimezoneOffset() === -120)("fails where it cannot change the time zone", async () => {
    const worker = new Worker(new URL("timeZoneWorker.ts", import.meta.url), {
      execArgv: ["--conditions=@solar-sites/source"]
    })
    const [message] = await once(worker, "message")
    expect(message).toContain("the test runner must be started with TZ=Europe/Berlin: this thread cannot change")
  })
})
