/**
 * Setup of all tests in the browser: a server, a browser, a login; checks of accessibility and
 * layout for every page.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import axe from "axe-core"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, expect, vi } from "vitest"
import { launch, openPage, type PageOptions, type WatchedPage } from "./Browser.ts"
import { eventually, expectCount } from "./Fixtures.ts"
import { type Login, type Prepare, type PreparedServer, startServer, type Variables } from "./Server.ts"
import { isSlow } from "./SlowPages.ts"

const pictures = join(import.meta.dirname, "../../../docs/images/console")

export interface Setup {
  readonly server: PreparedServer
  readonly browser: Browser
  /** Opens a page, logged in by default. Disposing it fails when a forbidden event was recorded. */
  readonly open: (path: string, options?: PageOptions & { readonly loggedIn?: boolean }) => Promise<WatchedPage>
}

/** Logs in through the form. */
export const logIn = async (page: Page, { email, password }: Login): Promise<void> => {
  await page.getByLabel("E-mail").fill(email)
  await page.getByLabel("Password", { exact: true }).fill(password)
  await page.getByRole("button", { name: "Log in" }).click()
  await page.getByRole("banner").waitFor()
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0]

/** Logs in once per file, without a page; the pages share the session. */
const cookiesOf = async ({ login, origin }: PreparedServer): Promise<Cookies> => {
  const answer = await fetch(`${origin}/console/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify(login),
    signal: AbortSignal.timeout(60_000)
  })
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie().map((cookie) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: origin, httpOnly: true, sameSite: "Strict" }
  })
}

/** One server and one browser per file; `setup()` returns them. */
export const useSetup = (variables: Variables = {}, prepare?: Prepare): (() => Setup) => {
  if (isSlow) vi.setConfig({ testTimeout: 900_000 })
  let setup: Setup | undefined
  beforeAll(async () => {
    const [server, browser] = await Promise.all([startServer(variables, prepare), launch()])
    const cookies = await cookiesOf(server)
    const open: Setup["open"] = async (path, { loggedIn = true, ...options } = {}) => {
      const watched = await openPage(browser, server.origin, options)
      if (loggedIn) await watched.context.addCookies(cookies)
      await watched.page.goto(path)
      const dispose = async () => {
        await watched[Symbol.asyncDispose]()
        expect(watched.faults()).toEqual([])
      }
      return { ...watched, [Symbol.asyncDispose]: dispose }
    }
    setup = { server, browser, open }
  })
  afterAll(async () => {
    await setup?.browser.close()
    await setup?.server[Symbol.asyncDispose]()
  })
  return () => {
    if (setup === undefined) throw new Error("the setup is set before the tests of the file")
    return setup
  }
}

// Light last, because screenshots follow.
const schemes = ["dark", "light"] as const

/** Waits until the colour scheme is applied and no transition runs. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })

/** axe-core finds no fault, in light and dark. */
export const expectAccessible = async (page: Page): Promise<void> => {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(axe.source)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await settled(page)
    const faults = await page.evaluate(async (colorScheme) => {
      // Popups lie outside of the landmarks. In dark only the colours differ.
      const region = { enabled: document.querySelector('[role="menu"], [role="listbox"]') === null }
      const { violations } = await window.axe.run(
        colorScheme === "dark"
          ? { resultTypes: ["violations"], runOnly: ["color-contrast"] }
          : { resultTypes: ["violations"], rules: { region } }
      )
      return violations.flatMap(({ help, id, nodes }) =>
        nodes.map(({ failureSummary, target }) => `${id} (${help}) at ${target.join(" ")}: ${failureSummary}`)
      )
    }, colorScheme)
    expect(faults, colorScheme).toEqual([])
  }
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

/** Accessible on wide and narrow screens, without sideways scrolling down to 320 px. */
export const expectFits = async (page: Page): Promise<void> => {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.setViewportSize({ width: 1120, height: 720 })
}

/** Writes a screenshot for the documentation with `SCREENSHOTS=1`, once notifications have gone. */
export const takePicture = async (page: Page, name: string): Promise<void> => {
  if (process.env["SCREENSHOTS"] !== "1") return
  await mkdir(pictures, { recursive: true })
  await page.mouse.move(0, 0)
  await expectCount(page.locator(".mantine-Notification-root"), 0)
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled", caret: "hide", scale: "css" })
}
