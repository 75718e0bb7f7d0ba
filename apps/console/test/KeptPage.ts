/**
 * Pages that stay loaded: parsing and running the scripts of the console takes most of the processor
 * time of a page. Before another page is shown, the console forgets what a load would forget.
 */
import type { QueryClient } from "@tanstack/react-query"
import type { BrowserContext, JSHandle, Page } from "playwright-core"
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

/** Pages without data that differ from all others: with the frame of a session, and without a session. */
const inside = { path: "/nowhere", heading: "There is no such page" }
const outside = { path: "/email", heading: "New e-mail address" }

/**
 * Shows one of these pages, which removes the components of all others, and empties the cache. Fails
 * when a form with unsaved input, an open dialog or an upload stays.
 */
const leave = (page: Page, found: JSHandle<Console>, place: typeof inside): Promise<void> =>
  page.evaluate(
    async ([{ client, router }, { heading, path }]) => {
      await router.navigate(path)
      if (location.pathname !== path) throw new Error(`the page stays at ${location.pathname}`)
      const isShown = () => document.querySelector("h1")?.textContent === heading
      const leftover = () =>
        document.querySelector('[role="dialog"], [role="menu"], .mantine-Notification-root, [aria-label="Uploads"]')
      for (let frames = 0; !isShown() || leftover() !== null; frames++) {
        if (frames === 100) throw new Error(`the page still shows ${leftover()?.textContent ?? document.title}`)
        for (const button of document.querySelectorAll("button")) {
          const isClosing =
            button.matches(".mantine-Notification-closeButton") || /^Clear (uploaded|stopped)$/.test(button.textContent)
          if (isClosing) button.click()
        }
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      // The frame shows the session. Components that have just been removed may still observe others.
      const kept = ["session", "configuration", "owner"]
      client.removeQueries({ predicate: ({ queryKey: [name] }) => !kept.includes(String(name)) })
    },
    [found, place] as const
  )

/** Ends when the last page is no longer shown: React renders the next one some time after the navigation. */
const show = async (page: Page, found: JSHandle<Console>, path: string): Promise<void> =>
  page.evaluate(
    async ([{ router }, path]) => {
      const heading = document.querySelector("h1")
      await router.navigate(path, { replace: true })
      for (let frames = 0; heading?.isConnected === true && frames < 300; frames++) {
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    },
    [found, path] as const
  )

/**
 * Shows another page, or the same one anew, as a load does: without the state and the cached answers
 * of the last one. A load takes several times the processor time.
 */
export const visit = async (page: Page, path?: string): Promise<void> => {
  const { pathname, search } = new URL(page.url())
  const found = await consoleOf(page)
  await leave(page, found, inside)
  await show(page, found, path ?? pathname + search)
}

/** Waits until the page has all answers that it has asked for. */
export const answersArrived = async (page: Page): Promise<void> =>
  page.evaluate(
    async ({ client }) => {
      while (client.isFetching() > 0) await new Promise((resolve) => requestAnimationFrame(resolve))
    },
    await consoleOf(page)
  )

/** Cookies of a login. */
export type Session = Parameters<BrowserContext["addCookies"]>[0]

/** Forgets the user, as a load does, and continues with another session. */
const changeSession = async ({ context, page }: WatchedPage, session: Session): Promise<void> => {
  const found = await consoleOf(page)
  await leave(page, found, outside)
  await page.evaluate(async ({ client }) => {
    await client.cancelQueries()
    client.clear()
  }, found)
  await context.clearCookies()
  await context.addCookies(session)
}

/** Ends what a test has set up in the page, and forgets all of it. */
const reset = async ({ context, page }: WatchedPage): Promise<void> => {
  for (const event of ["request", "response", "dialog"] as const) page.removeAllListeners(event)
  await Promise.all([page.unrouteAll(), context.unrouteAll(), context.clearPermissions(), context.setOffline(false)])
  await page.mouse.move(0, 0)
  // The search and the list of shortcuts belong to no page.
  await page.keyboard.press("Escape")
  const found = await consoleOf(page)
  const isLoggedIn = await found.evaluate(({ client }) => Boolean(client.getQueryData(["session"])))
  await leave(page, found, isLoggedIn ? inside : outside)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
}

export interface KeptOptions {
  readonly width: number
  readonly height: number
}

export interface KeptPage extends AsyncDisposable {
  /** Opens the page, with a session. A second page at the same time is a new one. */
  readonly open: (path: string, session: Session, options: KeptOptions) => Promise<WatchedPage>
}

interface Kept {
  readonly watched: WatchedPage
  readonly session: Session
}

/** Keeps a page that a test disposes of for the next one. */
export const keepPage = (create: (options: KeptOptions) => Promise<WatchedPage>): KeptPage => {
  let kept: Kept | undefined
  const take = async (path: string, session: Session, options: KeptOptions): Promise<WatchedPage> => {
    const found = kept
    kept = undefined
    if (found === undefined || found.watched.page.isClosed()) {
      const created = await create(options)
      await created.context.addCookies(session)
      await created.page.goto(path)
      return created
    }
    const { page } = found.watched
    await page.setViewportSize({ width: options.width, height: options.height })
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
    if (found.session !== session) await changeSession(found.watched, session)
    await show(page, await consoleOf(page), path)
    return found.watched
  }
  const open: KeptPage["open"] = async (path, session, options) => {
    const watched = await take(path, session, options)
    const dispose = async () => {
      // A page that cannot be left is not kept.
      const isReset = await reset(watched).then(
        () => true,
        () => false
      )
      if (isReset && kept === undefined && watched.faults().length === 0) kept = { watched, session }
      else await watched[Symbol.asyncDispose]()
    }
    return { ...watched, [Symbol.asyncDispose]: dispose }
  }
  return { open, [Symbol.asyncDispose]: async () => kept?.watched[Symbol.asyncDispose]() }
}
