/**
 * Pages that stay loaded: parsing and running the scripts of the console takes most of the processor
 * time of a page. Before another page is shown, the console forgets what a load would forget.
 */
import type { QueryClient } from "@tanstack/react-query"
import type { JSHandle, Page } from "playwright-core"
import type { DataRouter } from "react-router"
import type { WatchedPage } from "./Browser.ts"

interface Console {
  readonly client: QueryClient
  readonly router: DataRouter
}

/** Part of a node of React's tree. */
interface Fiber {
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly memoizedProps: Partial<Console> | null
}

/** Cache and router of the page, which React has as properties of their providers. */
const consoleOf = (page: Page): Promise<JSHandle<Console>> =>
  page.evaluateHandle(() => {
    const found: { -readonly [Name in keyof Console]?: Console[Name] } = {}
    const search = (first: Fiber | null): void => {
      for (let fiber = first; fiber !== null && found.router === undefined; fiber = fiber.sibling) {
        const { client, router } = fiber.memoizedProps ?? {}
        if (client !== undefined) found.client = client
        if (router !== undefined) found.router = router
        search(fiber.child)
      }
    }
    const root = document.getElementById("root")
    const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"))
    if (root !== null && key !== undefined) search(Reflect.get(root, key).stateNode.current)
    const { client, router } = found
    if (client === undefined || router === undefined) throw new Error("the page has not loaded the console")
    return { client, router }
  })

/**
 * Shows the page of an unknown address, which removes the components of all others, and empties the
 * cache. Fails when a form with unsaved input, an open dialog or an upload stays.
 */
const leave = (page: Page, found: JSHandle<Console>): Promise<void> =>
  page.evaluate(async ({ client, router }) => {
    const nowhere = "/nowhere"
    await router.navigate(nowhere)
    if (location.pathname !== nowhere) throw new Error(`the page stays at ${location.pathname}`)
    const isShown = () => document.querySelector("h1")?.textContent === "There is no such page"
    const leftover = () =>
      document.querySelector('[role="dialog"], [role="menu"], .mantine-Notification-root, [aria-label="Uploads"]')
    for (let frames = 0; !isShown() || leftover() !== null; frames++) {
      if (frames === 100) throw new Error(`the page still shows ${leftover()?.textContent ?? document.title}`)
      for (const button of document.querySelectorAll("button")) {
        const isClosing = button.matches(".mantine-Notification-closeButton") || button.textContent === "Clear uploaded"
        if (isClosing) button.click()
      }
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    // The frame shows the session. Components that have just been removed may still observe others.
    const kept = ["session", "configuration"]
    client.removeQueries({ predicate: ({ queryKey: [name] }) => !kept.includes(String(name)) })
  }, found)

/**
 * Shows another page, or the same one anew, as a load does: without the state and the cached answers
 * of the last one. A load takes several times the processor time.
 */
export const visit = async (page: Page, path?: string): Promise<void> => {
  const { pathname, search } = new URL(page.url())
  const found = await consoleOf(page)
  await leave(page, found)
  await page.evaluate(([{ router }, path]) => router.navigate(path, { replace: true }), [
    found,
    path ?? pathname + search
  ] as const)
}

/** Waits until the page has all answers that it has asked for. */
export const answersArrived = async (page: Page): Promise<void> =>
  page.evaluate(
    async ({ client }) => {
      while (client.isFetching() > 0) await new Promise((resolve) => requestAnimationFrame(resolve))
    },
    await consoleOf(page)
  )

/** Ends what a test has set up in the page, and forgets all of it. */
const reset = async ({ context, page }: WatchedPage): Promise<void> => {
  for (const event of ["request", "response", "dialog"] as const) page.removeAllListeners(event)
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearPermissions(), context.setOffline(false)])
  await page.mouse.move(0, 0)
  // The search and the list of shortcuts belong to no page.
  await page.keyboard.press("Escape")
  await leave(page, await consoleOf(page))
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

interface KeptOptions {
  readonly width: number
  readonly height: number
  readonly proxy?: string
}

/**
 * Keeps a page that a test disposes of for the next one with the same proxy. A second page at the same
 * time is a new one.
 */
export const keepPage = (create: (options: KeptOptions) => Promise<WatchedPage>) => {
  const pages = new Map<string | undefined, WatchedPage>()
  const take = async (path: string, options: KeptOptions): Promise<WatchedPage> => {
    const watched = pages.get(options.proxy)
    pages.delete(options.proxy)
    if (watched === undefined) {
      const created = await create(options)
      await created.page.goto(path)
      return created
    }
    await watched.page.setViewportSize({ width: options.width, height: options.height })
    await watched.page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
    await visit(watched.page, path)
    return watched
  }
  return async (path: string, options: KeptOptions): Promise<WatchedPage> => {
    const watched = await take(path, options)
    const dispose = async () => {
      // A page that is at the login, or that cannot be left, is not kept.
      const isReset = await reset(watched).then(
        () => true,
        () => false
      )
      if (isReset && !pages.has(options.proxy) && watched.faults().length === 0) pages.set(options.proxy, watched)
      else await watched[Symbol.asyncDispose]()
    }
    return { ...watched, [Symbol.asyncDispose]: dispose }
  }
}
