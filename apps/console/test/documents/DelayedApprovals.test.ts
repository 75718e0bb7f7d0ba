import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { DelayedApprovals, isApprovedHere } from "../../src/documents/DelayedApprovals.ts"

const documentOf = (id: string, version = 1) => ({ id, version, filename: `${id}.pdf`, siteId: "site" })

const listed = (id: string, version = 1) => ({ id, version, status: "uploaded" as const })

describe("approvals that can be undone", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const make = (succeeds = true) => {
    const sent: Array<[string, boolean]> = []
    const approvals = new DelayedApprovals(async ({ id }, isLeaving) => {
      sent.push([id, isLeaving])
      return succeeds
    }, 10_000)
    return { approvals, sent }
  }

  it("are sent after the delay, each once", async () => {
    const { approvals, sent } = make()
    approvals.add(documentOf("lease"))
    await vi.advanceTimersByTimeAsync(5_000)
    approvals.add(documentOf("lease"))
    approvals.add(documentOf("epc"))
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([["lease", false]])
    await vi.advanceTimersByTimeAsync(60_000)
    await approvals.flush()
    expect(sent).toEqual([
      ["lease", false],
      ["epc", false]
    ])
  })

  it("are undone from the last one on, until they are sent", async () => {
    const { approvals, sent } = make()
    for (const id of ["a", "b", "c"]) approvals.add(documentOf(id))
    expect(approvals.undo()?.id).toBe("c")
    expect(approvals.undo("a")?.id).toBe("a")
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual([["b", false]])
    expect(approvals.undo()).toBeUndefined()
    expect(approvals.undo("b")).toBeUndefined()
  })

  it("are sent at once when the page is left", async () => {
    const { approvals, sent } = make()
    approvals.add(documentOf("a"))
    approvals.add(documentOf("b"))
    void approvals.flush(true)
    expect(sent).toEqual([
      ["a", true],
      ["b", true]
    ])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toHaveLength(2)
  })

  it("are forgotten when the page is left for another user", async () => {
    const { approvals, sent } = make()
    approvals.add(documentOf("a"))
    approvals.add(documentOf("b"))
    approvals.drop()
    await approvals.flush(true)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toEqual([])
  })

  it("hide a document in its approved version, also after the request, but not after its failure", async () => {
    const { approvals } = make()
    approvals.add(documentOf("a"))
    expect(isApprovedHere(approvals.all(), listed("a"))).toBe(true)
    expect(isApprovedHere(approvals.all(), listed("a", 2))).toBe(false)
    expect(isApprovedHere(approvals.all(), listed("b"))).toBe(false)
    await approvals.flush()
    expect(isApprovedHere(approvals.all(), listed("a"))).toBe(true)

    const refused = make(false).approvals
    refused.add(documentOf("a"))
    await refused.flush()
    expect(isApprovedHere(refused.all(), listed("a"))).toBe(false)
  })

  it("tell their listeners of each change", async () => {
    const { approvals } = make()
    const listener = vi.fn()
    const stop = approvals.subscribe(listener)
    approvals.add(documentOf("a"))
    await approvals.flush()
    expect(listener).toHaveBeenCalledTimes(2)
    stop()
    approvals.add(documentOf("b"))
    expect(listener).toHaveBeenCalledTimes(2)
    approvals.undo()
  })
})
