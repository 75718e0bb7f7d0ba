/**
 * Setup of all tests in the browser: a server, a browser, a login; checks of accessibility and
 * layout for every page.
 */
import { readFileSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { SolarSitesClient } from "@solar-sites/http-node/client"
import type axe from "axe-core"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, expect, vi } from "vitest"
import { openPage, type PageOptions, sharedBrowser, type WatchedPage } from "./Browser.ts"
import { clientWith, eventually, expectCount } from "./Fixtures.ts"
import { type KeptPage, keepPage, type Session } from "./KeptPage.ts"
import { type Login, type Organisation, type Server, sharedServer } from "./Server.ts"
import { isSlow } from "./SlowPages.ts"

const pictures = join(import.meta.dirname, "../../../docs/images/console")

export interface Setup extends Organisation {
  readonly server: Server
  readonly browser: Browser
  /** The API with the session of the owner: needs no page. */
  readonly client: SolarSitesClient
  /** Status of a request to the console without a page, by default as the owner. */
  readonly request: (method: string, path: string, body: object, as?: Login) => Promise<number>
  /** Opens a page, logged in by default. Disposing it fails when a forbidden event was recorded. */
  readonly open: (path: string, options?: OpenOptions) => Promise<WatchedPage>
  /** The same for an empty organisation that no other test has. */
  readonly another: () => Promise<Setup>
}

export interface OpenOptions extends PageOptions {
  readonly loggedIn?: boolean
  /** Another user than the owner. */
  readonly as?: Login
  /** True for a page that is loaded for the test. So is a page of another colour scheme or origin. */
  readonly own?: boolean
}

/** Logs in through the form. */
export const logIn = async (page: Page, { email, password }: Login): Promise<void> => {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("banner").waitFor()
}

/** Logs in once per file, without a page; the pages share the session. */
const cookiesOf = async ({ origin }: Server, { email, password }: Login): Promise<Session> => {
  const answer = await fetch(`${origin}/console/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(60_000)
  })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie().map((cookie) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: origin, httpOnly: true, sameSite: "Strict" }
  })
}

const openHere = async (options: PageOptions): Promise<WatchedPage> =>
  openPage(await sharedBrowser(), (await sharedServer()).origin, options)

/** The page that all files of this worker use. */
const keptInWorker = keepPage(openHere)

/** An organisation on the server of the worker. Opens pages as its owner. */
export const useSetup = (): (() => Setup) => {
  if (isSlow) vi.setConfig({ testTimeout: 900_000 })
  let setup: Setup | undefined
  const closing = new AsyncDisposableStack()
  beforeAll(async () => {
    const [server, browser] = await Promise.all([sharedServer(), sharedBrowser()])
    const openOwn = async (path: string, session: Session, options: PageOptions) => {
      const watched = await openHere(options)
      await watched.context.addCookies(session)
      await watched.page.goto(path)
      return watched
    }
    // A proxy ends with the file.
    let proxied: KeptPage | undefined
    const keptPageOf = ({ proxy }: PageOptions): KeptPage => {
      if (proxy === undefined) return keptInWorker
      proxied ??= closing.use(keepPage((options) => openHere({ ...options, proxy })))
      return proxied
    }
    const openWith = async (
      cookies: Session,
      path: string,
      { as, loggedIn = true, own = false, ...options }: OpenOptions = {}
    ): Promise<WatchedPage> => {
      const { colorScheme, locale, otherOrigin } = options
      const isKept = !own && [colorScheme, locale, otherOrigin].every((option) => option === undefined)
      const session = as !== undefined ? await cookiesOf(server, as) : loggedIn ? cookies : []
      const watched = isKept
        ? await keptPageOf(options).open(path, session, { width: 1120, height: 720, ...options })
        : await openOwn(path, session, options)
      const dispose = async () => {
        await watched[Symbol.asyncDispose]()
        expect(watched.faults()).toEqual([])
      }
      return { ...watched, [Symbol.asyncDispose]: dispose }
    }
    const take = async (): Promise<Setup> => {
      const organisation = server.take("Demo organisation")
      const cookies = await cookiesOf(server, organisation.owner)
      const client = clientWith(server.origin, async () => cookies)
      const request: Setup["request"] = async (method, path, body, as) => {
        const session = as === undefined ? cookies : await cookiesOf(server, as)
        const cookie = session.map(({ name, value }) => `${name}=${value}`).join("; ")
        const headers = { origin: server.origin, "content-type": "application/json", cookie }
        return (await fetch(`${server.origin}${path}`, { method, headers, body: JSON.stringify(body) })).status
      }
      const open: Setup["open"] = (path, options) => openWith(cookies, path, options)
      return { ...organisation, server, browser, client, request, open, another: take }
    }
    setup = await take()
  })
  afterAll(() => closing.disposeAsync())
  return () => {
    if (setup === undefined) throw new Error("the setup is set before the tests of the file")
    return setup
  }
}

// Minified: every page that is checked receives and compiles it.
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Waits until the size and the colour scheme are applied. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  })

type Rules = "all" | "structure" | "colours"

/** axe-core finds no fault in the current colour scheme. */
const expectNoFaults = async (page: Page, rules: Rules): Promise<void> => {
  await settled(page)
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource)
  const faults = await page.evaluate(async (rules) => {
    // A dialog covers the page, which other tests check without it.
    const dialogs = [...document.querySelectorAll('[role="dialog"]')]
    // Popups lie outside of the landmarks.
    const region = { enabled: document.querySelector('[role="menu"], [role="listbox"]') === null }
    const { violations } = await window.axe.run(
      dialogs.length === 0 ? document : dialogs,
      rules === "colours"
        ? { resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block"] }
        : { resultTypes: ["violations"], rules: { region, "color-contrast": { enabled: rules === "all" } } }
    )
    return violations.flatMap(({ help, id, nodes }) =>
      nodes.map(({ failureSummary, target }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`)
    )
  }, rules)
  expect(faults).toEqual([])
}

/** axe-core finds no fault, colours left out. */
export const expectAccessible = (page: Page): Promise<void> => expectNoFaults(page, "structure")

const showOtherScheme = async (page: Page): Promise<void> => {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)
  await page.emulateMedia({ colorScheme: isDark ? "light" : "dark", reducedMotion: "reduce" })
}

/** Colours differ enough, in light and dark. The page stays in the other scheme. */
export const expectContrast = async (page: Page): Promise<void> => {
  await expectNoFaults(page, "colours")
  await showOtherScheme(page)
  await expectNoFaults(page, "colours")
}

/** The same, and accessible: axe-core reads the page once for all rules. */
export const expectAccessibleInBothSchemes = async (page: Page): Promise<void> => {
  await expectNoFaults(page, "all")
  await showOtherScheme(page)
  await expectNoFaults(page, "colours")
}

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}

/** Elements that are wider than the page. */
const wideElements = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const beyond = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth
    )
    return beyond.map(({ className, tagName, textContent }) => `${tagName}.${className}: ${textContent.slice(0, 40)}`)
  })

/** No element is wider than the page. The frame of the page changes after the size. */
export const expectNoSidewaysScrolling = (page: Page): Promise<void> =>
  eventually(async () => expect(await wideElements(page)).toEqual([]))

/**
 * Accessible, in light and dark, and without sideways scrolling from 1440 px down to 320 px. A narrow page
 * has few elements of its own, the buttons of the navigation and of the filters, which have checks of their own.
 */
export const expectFits = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 1440, height: 800 })
  await expectAccessibleInBothSchemes(page)
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1120, height: 720 })
}

/** Writes a screenshot for the documentation with `SCREENSHOTS=1`, once notifications have gone. */
export const takePicture = async (page: Page, name: string, colorScheme: "light" | "dark" = "light"): Promise<void> => {
  if (process.env["SCREENSHOTS"] !== "1") return
  await mkdir(pictures, { recursive: true })
  await page.mouse.move(0, 0)
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
  await settled(page)
  await expectCount(page.locator(".mantine-Notification-root"), 0)
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled", caret: "hide", scale: "css" })
}
