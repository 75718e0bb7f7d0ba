import { QueryObserver } from "@tanstack/react-query"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import type { Session } from "../../src/api/Console.ts"
import { loginTexts } from "../../src/texts/en/login.ts"

const hour = 3_600_000

const sessionOf = (userId: string): Session => ({
  user: { id: userId, email: `${userId}@example.com`, name: userId, role: "owner", portfolioIds: null },
  organisation: { id: "organisation", name: "Ours", status: "active" },
  expiresAt: new Date(Date.now() + 12 * hour).toISOString(),
  scopes: [],
  mustSetUpSecondFactor: false
})

const problem = (status: number, code: string) => Response.json({ code, status, detail: code }, { status })
const missing = () => problem(401, "session_missing")

describe("the session of a tab", () => {
  const location = { origin: "http://localhost", reload: vi.fn(), replace: vi.fn() }
  const fetch = vi.fn<() => Promise<Response>>()
  const beforeLeave = vi.fn()
  const otherTab = new BroadcastChannel("solar-sites-session")
  const heard: Array<unknown> = []
  otherTab.addEventListener("message", ({ data }) => heard.push(data))
  afterAll(() => otherTab.close())

  let tab: typeof import("../../src/api/queries.ts")

  beforeAll(async () => {
    vi.stubGlobal("location", location)
    tab = await import("../../src/api/queries.ts")
    tab.onLeave(beforeLeave)
  })
  beforeEach(() => {
    vi.stubGlobal("location", location)
    vi.stubGlobal("fetch", fetch)
    heard.length = 0
  })
  afterEach(() => {
    tab.queryClient.clear()
    vi.unstubAllGlobals()
    vi.resetAllMocks()
  })

  const read = () => tab.queryClient.fetchQuery({ ...tab.sessionQuery, staleTime: 0 })
  const shown = () => tab.queryClient.getQueryData(tab.sessionQuery.queryKey)

  it("is null when the server knows none", async () => {
    fetch.mockResolvedValueOnce(missing())
    expect(await read()).toBeNull()
    expect(location.reload).not.toHaveBeenCalled()
  })

  it("goes on with the same user, and reloads the page for another one without showing it", async () => {
    fetch.mockImplementation(async () => Response.json(sessionOf("ada")))
    await read()
    await read()
    expect(location.reload).not.toHaveBeenCalled()
    fetch.mockResolvedValueOnce(Response.json(sessionOf("grace")))
    void read()
    await vi.waitFor(() => expect(location.reload).toHaveBeenCalledOnce(), 100_000)
    expect(beforeLeave).toHaveBeenCalledOnce()
    expect(shown()).toMatchObject({ user: { id: "ada" } })
    await tab.queryClient.cancelQueries()
  })

  it("reloads the page for another user who logs in", async () => {
    await tab.enterSession(sessionOf("ada"))
    void tab.enterSession(sessionOf("grace"))
    await vi.waitFor(() => expect(location.reload).toHaveBeenCalledOnce(), 100_000)
    expect(shown()).toMatchObject({ user: { id: "ada" } })
  })

  it("is the one of a login, also when an answer from before the login arrives later", async () => {
    const late = Promise.withResolvers<Response>()
    fetch.mockReturnValueOnce(late.promise)
    const reading = read().catch(() => {})
    await tab.enterSession(sessionOf("ada"))
    late.resolve(missing())
    await reading
    expect(shown()).toMatchObject({ user: { id: "ada" } })
    await vi.waitFor(() => expect(heard).toContain("logged in"), 100_000)
  })

  it("ends in all tabs with a logout in one", async () => {
    tab.leaveSession()
    await vi.waitFor(() => expect(heard).toContain("logged out"), 100_000)
    otherTab.postMessage("logged out")
    await vi.waitFor(() => expect(location.replace.mock.calls).toEqual([["/login"], ["/login"]]), 100_000)
    expect(beforeLeave).toHaveBeenCalledTimes(2)
  })

  it("is read again after a login in another tab", async () => {
    await tab.enterSession(sessionOf("ada"))
    otherTab.postMessage("logged in")
    const state = () => tab.queryClient.getQueryState(tab.sessionQuery.queryKey)
    await vi.waitFor(() => expect(state()).toMatchObject({ isInvalidated: true }), 100_000)
  })

  it("has ended by its length, by time without use, or elsewhere", async () => {
    const session = sessionOf("ada")
    await tab.enterSession(session)
    const reasonAfter = (millis: number) => {
      vi.setSystemTime(Date.parse(session.expiresAt) - 12 * hour + millis)
      const reason = tab.reasonOfEnd(session)
      vi.useRealTimers()
      return [reason, loginTexts.reasons[reason]({ life: 12, idle: 2 })]
    }
    expect(reasonAfter(hour)).toEqual(["ended", expect.stringContaining("It was ended in another window")])
    expect(reasonAfter(3 * hour)).toEqual(["idle", "A session ends after 2 hours without use."])
    expect(reasonAfter(13 * hour)).toEqual(["expired", "A session lasts 12 hours at most."])
  })

  it("waits with a logout for requests that still have to be sent", async () => {
    const sent = vi.fn(async () => {})
    tab.onLogout(sent)
    await tab.prepareLogout()
    expect(sent).toHaveBeenCalledOnce()
  })

  it("reads a list again after a change, although the first answer is older and arrives later", async () => {
    const older = Promise.withResolvers<Array<string>>()
    const queryFn = vi.fn(async () => ["created"]).mockReturnValueOnce(older.promise)
    const stop = new QueryObserver(tab.queryClient, { queryKey: ["list"], queryFn }).subscribe(() => {})
    const reading = tab.readAgain(["list"])
    older.resolve([])
    await reading
    expect(tab.queryClient.getQueryData(["list"])).toEqual(["created"])
    expect(queryFn).toHaveBeenCalledTimes(2)
    stop()
  })
})
