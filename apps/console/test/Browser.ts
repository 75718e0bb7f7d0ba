/**
 * One chromium for a test file, and pages in it that notice what must not
 * happen: a request that leaves the server's origin, something that the content
 * security policy forbids, an error in a script.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { inject } from "vitest"

/** Empty when the machine has no browser: the tests are skipped then. */
export const executablePath = inject("chromium")

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** Loaded machines are slow; nothing waits that long when all is well. */
const patience = 30_000

const launches = 3
const firstAnswer = 30_000

const answers = async (browser: Browser): Promise<boolean> => {
  const context = await browser.newContext()
  await context.newPage()
  await context.close()
  return true
}

/**
 * A browser that has opened a page. Now and then one starts and never answers, which nothing in playwright notices; then
 * another takes its place.
 */
export const launch = async (): Promise<Browser> => {
  for (let launched = 1; ; launched++) {
    const browser = await chromium.launch({ executablePath, args, headless: true })
    const silence = new Promise<boolean>((resolve) => setTimeout(resolve, firstAnswer, false).unref())
    if (await Promise.race([answers(browser), silence])) return browser
    void browser.close().catch(() => {})
    if (launched === launches) throw new Error(`chromium has started ${launches} times and answered nothing`)
    console.warn(`chromium has answered nothing for ${firstAnswer / 1_000} s and is started again`)
  }
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What has happened that must not. */
  readonly faults: () => ReadonlyArray<string>
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: "light" | "dark"
  /** The address of a proxy that all requests go through. */
  readonly proxy?: string
}

// The browser tells of each refused request; that is what some tests are about.
const isExpected = (text: string): boolean => /^Failed to load resource: (the server responded|net::)/.test(text)

/** A page with cookies and storage of its own. */
export const openPage = async (
  browser: Browser,
  origin: string,
  { colorScheme = "light", height = 720, proxy, width = 1120 }: PageOptions = {}
): Promise<WatchedPage> => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    serviceWorkers: "block",
    ...(proxy === undefined ? {} : { proxy: { server: proxy, bypass: "<-loopback>" } })
  })
  context.setDefaultTimeout(patience)
  const faults: Array<string> = []
  await context.route(
    (url) => url.origin !== origin && !/^(data|blob):$/.test(url.protocol),
    (route) => {
      faults.push(`a request left the origin: ${route.request().url()}`)
      return route.abort()
    }
  )
  context.on("weberror", (error) => faults.push(`a script failed: ${error.error()}`))
  context.on("console", (message) => {
    const text = message.text()
    const isFault = message.type() === "error" || /Content.Security.Policy/i.test(text)
    if (isFault && !isExpected(text)) faults.push(`the browser's console says: ${text}`)
  })
  const page = await context.newPage()
  return { page, context, faults: () => faults, [Symbol.asyncDispose]: () => context.close() }
}
