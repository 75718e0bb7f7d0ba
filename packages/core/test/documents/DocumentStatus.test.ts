import { DocumentStatus, statesBefore, transitions } from "@solar-sites/core"
import { expect, it } from "vitest"

it("leads from pending over uploaded and approved to completed, and back from failed alone", () => {
  const ways = DocumentStatus.literals.flatMap((from) => transitions[from].map((to) => `${from} -> ${to}`))
  expect(ways.toSorted()).toEqual([
    "approved -> completed",
    "failed -> pending",
    "pending -> failed",
    "pending -> uploaded",
    "uploaded -> approved",
    "uploaded -> failed"
  ])
})

it("knows the states before each state", () => {
  expect(statesBefore("failed")).toEqual(["pending", "uploaded"])
  expect(statesBefore("pending")).toEqual(["failed"])
  expect(statesBefore("completed")).toEqual(["approved"])
})
