import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { asDecided, type Decision, DelayedDecisions, decisionOn } from "../../src/documents/DelayedDecisions.ts"

const documentOf = (id: string, version = 1) => ({ id, version, filename: `${id}.pdf`, siteId: "site" })

const listed = (id: string, version = 1) => ({ id, version, status: "uploaded" as const, failureReason: null })

const approved = { status: "approved" } as const
const rejected = { status: "failed", reason: " blurred " } as const

describe("decisions that can be undone", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const make = (succeeds = true) => {
    const sent: Array<[string, boolean]> = []
    const outcomes: Array<Decision["outcome"]> = []
    const decisions = new DelayedDecisions(async ({ document, outcome }, isLeaving) => {
      sent.push([document.id, isLeaving])
      outcomes.push(outcome)
      return succeeds
    }, 10_000)
    return { decisions, outcomes, sent }
  }

  it("are sent after the delay, each once", async () => {
    const { decisions, sent } = make()
    decisions.add(documentOf("lease"), approved)
    await vi.advanceTimersByTimeAsync(5_000)
    decisions.add(documentOf("lease"), approved)
    decisions.add(documentOf("epc"), approved)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toEqual([["lease", false]])
    await vi.advanceTimersByTimeAsync(60_000)
    await decisions.flush()
    expect(sent).toEqual([
      ["lease", false],
      ["epc", false]
    ])
  })

  it("are undone from the last one on, until they are sent", async () => {
    const { decisions, sent } = make()
    for (const id of ["a", "b"]) decisions.add(documentOf(id), approved)
    decisions.add(documentOf("c"), rejected)
    expect(decisions.undo()?.id).toBe("c")
    expect(decisions.undo("a")?.id).toBe("a")
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sent).toEqual([["b", false]])
    expect(decisions.undo()).toBeUndefined()
    expect(decisions.undo("b")).toBeUndefined()
  })

  it("are sent at once when the page is left", async () => {
    const { decisions, sent } = make()
    decisions.add(documentOf("a"), approved)
    decisions.add(documentOf("b"), approved)
    void decisions.flush(true)
    expect(sent).toEqual([
      ["a", true],
      ["b", true]
    ])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toHaveLength(2)
  })

  it("are forgotten when the page is left for another user", async () => {
    const { decisions, sent } = make()
    decisions.add(documentOf("a"), approved)
    decisions.add(documentOf("b"), approved)
    decisions.drop()
    await decisions.flush(true)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(sent).toEqual([])
  })

  it("hide a document in its approved version, also after the request, but not after its failure", async () => {
    const { decisions } = make()
    decisions.add(documentOf("a"), approved)
    expect(decisionOn(decisions.all(), listed("a"))).toEqual(approved)
    expect(decisionOn(decisions.all(), listed("a", 2))).toBeUndefined()
    expect(decisionOn(decisions.all(), listed("b"))).toBeUndefined()
    await decisions.flush()
    expect(decisionOn(decisions.all(), listed("a"))).toEqual(approved)

    const refused = make(false).decisions
    refused.add(documentOf("a"), approved)
    await refused.flush()
    expect(decisionOn(refused.all(), listed("a"))).toBeUndefined()
  })

  it("are sent with their outcome, and show a document as it will be", async () => {
    const { decisions, outcomes } = make()
    decisions.add(documentOf("a"), rejected)
    // Only after an undo a version is decided on anew.
    decisions.add(documentOf("a"), approved)
    decisions.add(documentOf("b"), approved)
    expect(asDecided(decisions.all(), listed("a"))).toMatchObject({ status: "failed", failureReason: "blurred" })
    expect(asDecided(decisions.all(), listed("b"))).toMatchObject({ status: "approved", failureReason: null })
    const untouched = listed("c")
    expect(asDecided(decisions.all(), untouched)).toBe(untouched)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(outcomes).toEqual([rejected, approved])
    decisions.add(documentOf("d"), rejected)
    expect(decisions.undo("d")?.id).toBe("d")
    decisions.add(documentOf("d"), approved)
    await decisions.flush()
    expect(outcomes.at(-1)).toEqual(approved)
  })

  it("tell their listeners of each change", async () => {
    const { decisions } = make()
    const listener = vi.fn()
    const stop = decisions.subscribe(listener)
    decisions.add(documentOf("a"), approved)
    await decisions.flush()
    expect(listener).toHaveBeenCalledTimes(2)
    stop()
    decisions.add(documentOf("b"), approved)
    expect(listener).toHaveBeenCalledTimes(2)
    decisions.undo()
  })
})
