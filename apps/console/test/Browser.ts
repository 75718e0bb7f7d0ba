/**
 * One chromium per worker. Its pages record events that must not happen: a request to another
 * origin, a violation of the content security policy, a script error.
 */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { inject } from "vitest"
import { slowDown } from "./SlowPages.ts"

/** Empty without a browser; the tests are skipped then. */
export const executablePath = inject("chromium")

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // V8 optimises thousands of functions per page, which pages of a few seconds never regain. Maglev
  // alone saves nothing: Turbofan then does its work.
  "--js-flags=--no-maglev --no-opt",
  // No request leaves the machine.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
]

/** In milliseconds. Ends a wait for what never comes; on a busy machine a step can take ten times as long. */
export const patience = 120_000

const launches = 3
const firstAnswer = 30_000

/** Temporary folder of the run. */
const prepared = inject("consolePrepared")

/** The end of a worker kills its browser, which leaves its profile. The run removes it with its folder. */
const start = async (): Promise<Browser> => {
  const before = process.env["TMPDIR"]
  process.env["TMPDIR"] = prepared
  try {
    return await chromium.launch({ executablePath, args, headless: true })
  } finally {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
  }
}

const answers = async (browser: Browser): Promise<boolean> => {
  const context = await browser.newContext()
  await context.newPage()
  await context.close()
  return true
}

/**
 * A browser that has opened a page. Sometimes a started browser never answers, which playwright
 * does not detect; it is replaced.
 */
const launch = async (): Promise<Browser> => {
  for (let launched = 1; ; launched++) {
    const browser = await start()
    const silence = new Promise<boolean>((resolve) => setTimeout(resolve, firstAnswer, false).unref())
    if (await Promise.race([answers(browser), silence])) return browser
    void browser.close().catch(() => {})
    if (launched === launches) throw new Error(`chromium has started ${launches} times and answered nothing`)
    console.warn(`chromium has answered nothing for ${firstAnswer / 1_000} s and is started again`)
  }
}

let shared: Promise<Browser> | undefined

/** The browser of this worker; another one after it has ended. */
export const sharedBrowser = async (): Promise<Browser> => {
  const browser = await shared
  if (browser?.isConnected() === true) return browser
  shared = launch()
  return shared
}

export interface WatchedPage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** Recorded events that must not happen. */
  readonly faults: () => ReadonlyArray<string>
}

export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: "light" | "dark"
  /** Language of the browser, British English by default. */
  readonly locale?: string
  /** Address of a proxy for all requests. */
  readonly proxy?: string
  /** Origin of requests that the test answers itself. */
  readonly otherOrigin?: string
}

// The browser reports each refused request; some tests provoke them.
const isExpected = (text: string): boolean => /^Failed to load resource: (the server responded|net::)/.test(text)

/**
 * Ends the motion that `reducedMotion` leaves, as that of loading indicators. Three processes work for
 * each frame.
 */
const stopMotion = (): void => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important }")
  document.adoptedStyleSheets = [sheet]
}

/** A page with its own cookies and storage. */
export const openPage = async (
  browser: Browser,
  origin: string,
  { colorScheme = "light", height = 720, locale = "en-GB", otherOrigin, proxy, width = 1120 }: PageOptions = {}
): Promise<WatchedPage> => {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height },
    colorScheme,
    locale,
    timezoneId: "UTC",
    reducedMotion: "reduce",
    serviceWorkers: "block",
    ...(proxy === undefined ? {} : { proxy: { server: proxy, bypass: "<-loopback>" } })
  })
  context.setDefaultTimeout(patience)
  await context.addInitScript(stopMotion)
  const faults: Array<string> = []
  // A route for all requests would switch off the cache of the browser.
  context.on("request", (request) => {
    const url = new URL(request.url())
    // A full browser has a viewer of PDF files at addresses of its own.
    const isKnown =
      [origin, otherOrigin].includes(url.origin) || /^(data|blob|chrome|chrome-extension):$/.test(url.protocol)
    if (!isKnown) faults.push(`a request left the origin: ${url}`)
  })
  context.on("weberror", (error) => faults.push(`a script failed: ${error.error()}`))
  context.on("console", (message) => {
    const text = message.text()
    const isFault = message.type() === "error" || /Content.Security.Policy/i.test(text)
    if (isFault && !isExpected(text)) faults.push(`the browser's console says: ${text}`)
  })
  slowDown(context)
  const page = await context.newPage()
  return { page, context, faults: () => faults, [Symbol.asyncDispose]: () => context.close() }
}
