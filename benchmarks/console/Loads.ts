/**
 * Times of the list of sites in a browser: until its first rows, the rows of a search, and the map.
 */
import type { Browser, Page } from "../../apps/console/test/findChromium.ts"

export type Cookies = ReadonlyArray<{ readonly name: string; readonly value: string; readonly url: string }>

/** In milliseconds. */
export interface Times {
  readonly rows: number
  readonly search: number
  readonly map: number
}

const viewport = { width: 1280, height: 800 }
const firstRow = "table tbody tr"

/** Site 12,000 and its like: each round searches for words that no round before it has sent. */
const numberOf = (round: number) => 12_000 + 8 * round

const since = (begin: number): number => Math.round(performance.now() - begin)

/** A page with an empty cache. */
const open = async (browser: Browser, origin: string, cookies: Cookies) => {
  const context = await browser.newContext({ baseURL: origin, viewport, locale: "en-GB", reducedMotion: "reduce" })
  await context.addCookies([...cookies])
  return { page: await context.newPage(), close: () => context.close() }
}

/**
 * Resolves with the frame that shows the text in the first element that the selector finds. A locator looks for it at
 * growing intervals, of half a second in the end.
 */
const shows = (page: Page, selector: string, text = "") =>
  // Not a function: the types of a benchmark are not those of a browser.
  page.evaluate(`new Promise((resolve) => {
    const look = () =>
      document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})
        ? resolve()
        : requestAnimationFrame(look)
    look()
  })`)

/** In milliseconds, from the request of a page to an element of it. */
const load = async (page: Page, path: string, selector: string): Promise<number> => {
  const begin = performance.now()
  await page.goto(path, { waitUntil: "commit" })
  await shows(page, selector)
  return since(begin)
}

export const measure = async (browser: Browser, origin: string, cookies: Cookies, round: number): Promise<Times> => {
  const list = await open(browser, origin, cookies)
  const rows = await load(list.page, "/sites", firstRow)
  // What follows the first rows is not part of a search.
  await list.page.waitForLoadState("networkidle")
  const field = list.page.getByRole("searchbox")
  await field.focus()
  const begin = performance.now()
  await field.fill(`meadow ${numberOf(round)}`)
  await shows(list.page, firstRow, `Long Meadow ${numberOf(round)}`)
  const search = since(begin)
  await list.close()

  const map = await open(browser, origin, cookies)
  const whole = await load(map.page, "/sites?view=map", ".map-cluster")
  await map.close()
  return { rows, search, map: whole }
}
