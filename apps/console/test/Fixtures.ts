/**
 * Fixtures and assertions of the tests of sites, portfolios and documents. Data is created through
 * the session of the page.
 */
import { makeClient, type SolarSitesClient } from "@solar-sites/http-node/client"
import type { Locator, Page } from "playwright-core"
import { expect, vi } from "vitest"
import { patience } from "./Browser.ts"

/** A name that would run as a script if it were inserted as HTML. */
export const hostile = '"><img src=x onerror=alert(1)>'

type Cookies = ReadonlyArray<{ readonly name: string; readonly value: string }>

/** The API with the cookies of a session. */
export const clientWith = (origin: string, cookies: () => Promise<Cookies>): SolarSitesClient =>
  makeClient({
    baseUrl: `${origin}/console`,
    fetch: async (request) => {
      const headers = new Headers(request.headers)
      headers.set("origin", origin)
      headers.set("cookie", (await cookies()).map(({ name, value }) => `${name}=${value}`).join("; "))
      return fetch(new Request(request, { headers }))
    }
  })

/** The API with the session of the page, which may be of another user than the setup's. */
export const clientOf = (page: Page): SolarSitesClient => {
  const { origin } = new URL(page.url())
  return clientWith(origin, () => page.context().cookies(origin))
}

/** Retries until the assertion holds. */
export const eventually = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: patience, interval: 50 })

/** The locator finds these texts, in this order. */
export const expectTexts = (locator: Locator, texts: ReadonlyArray<unknown>): Promise<void> =>
  eventually(async () => expect(await locator.allTextContents()).toEqual(texts))

/** The locator finds this many elements. */
export const expectCount = (locator: Locator, count: number): Promise<void> =>
  eventually(async () => expect(await locator.count()).toBe(count))

export const expectValue = (field: Locator, value: string): Promise<void> =>
  eventually(async () => expect(await field.inputValue()).toBe(value))

export const expectFocus = (locator: Locator): Promise<void> =>
  eventually(async () => expect(await locator.evaluate((element) => element === document.activeElement)).toBe(true))

/** Error message of a field, as assistive technology reads it. */
export const faultAt = async (field: Locator): Promise<string> => {
  await eventually(async () => expect(await field.getAttribute("aria-invalid")).toBe("true"))
  const ids = (await field.getAttribute("aria-describedby")) ?? ""
  const texts = ids.split(/\s+/).map((id) => field.page().locator(`[id="${id}"]`).textContent())
  return (await Promise.all(texts)).join(" ")
}

/**
 * Clicks until what the target opens is there. While a page reads its data, its parts move: a press and a release on two
 * different elements are no click.
 */
export const openBy = async (target: Locator, opened: Locator): Promise<void> => {
  await eventually(async () => {
    if (!(await opened.isVisible())) await target.click()
    await opened.waitFor({ timeout: 2_000 })
  })
}

/** Chooses an option of a field that is searched by typing. */
export const choose = async (page: Page, label: string, option: string): Promise<void> => {
  const chosen = page.getByRole("option", { name: option, exact: true })
  await openBy(page.getByRole("combobox", { name: label, exact: true }), chosen)
  await chosen.click()
}

const dayMillis = 86_400_000

/** Days from today, in UTC. */
export const dayIn = (days: number): string => new Date(Date.now() + days * dayMillis).toISOString().slice(0, 10)

/** Waits for the next day in UTC when it begins within 2 minutes, so that a test sees one day. */
export const awayFromMidnight = async (): Promise<void> => {
  const left = dayMillis - (Date.now() % dayMillis)
  if (left < 120_000) await new Promise((resolve) => setTimeout(resolve, left))
}

/** A PNG of one pixel. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)
