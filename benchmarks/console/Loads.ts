/**
 * Times of the list of sites in a browser: until its first rows, the rows of a search, and the map.
 */
import type { Browser } from "../../apps/console/test/findChromium.ts"

export type Cookies = ReadonlyArray<{ readonly name: string; readonly value: string; readonly url: string }>

/** In milliseconds. */
export interface Times {
  readonly rows: number
  readonly search: number
  readonly map: number
}

const viewport = { width: 1280, height: 800 }

/** Site 12,000 and its like: each round searches for words that no round before it has sent. */
const numberOf = (round: number) => 12_000 + 8 * round

const since = (begin: number): number => Math.round(performance.now() - begin)

/** A page with an empty cache. */
const open = async (browser: Browser, origin: string, cookies: Cookies) => {
  const context = await browser.newContext({ baseURL: origin, viewport, locale: "en-GB", reducedMotion: "reduce" })
  await context.addCookies([...cookies])
  return { page: await context.newPage(), close: () => context.close() }
}

export const measure = async (browser: Browser, origin: string, cookies: Cookies, round: number): Promise<Times> => {
  const list = await open(browser, origin, cookies)
  let begin = performance.now()
  await list.page.goto("/sites")
  await list.page.locator("table tbody tr").first().waitFor()
  const rows = since(begin)
  // What follows the first rows is not part of a search.
  await list.page.waitForLoadState("networkidle")
  const field = list.page.getByRole("searchbox")
  await field.focus()
  begin = performance.now()
  await field.fill(`meadow ${numberOf(round)}`)
  const found = list.page
    .locator("table tbody tr")
    .first()
    .getByText(`Long Meadow ${numberOf(round)}`)
  await found.waitFor()
  const search = since(begin)
  await list.close()

  const map = await open(browser, origin, cookies)
  begin = performance.now()
  await map.page.goto("/sites?view=map")
  await map.page.locator(".map-cluster").first().waitFor()
  const whole = since(begin)
  await map.close()
  return { rows, search, map: whole }
}
