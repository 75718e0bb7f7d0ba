import { describe, expect, it } from "vitest"
import { typeAhead } from "../../src/search/typeAhead.ts"

const none = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }

describe("a key pressed while the search is loading", () => {
  it.each([
    ["types a letter", { key: "s" }, "gs"],
    ["types a space", { key: " " }, "g "],
    ["removes the last letter", { key: "Backspace" }, ""],
    ["closes the search", { key: "Escape" }, null],
    ["types nothing as an arrow", { key: "ArrowDown" }, undefined],
    ["types nothing with Ctrl", { key: "k", ctrlKey: true }, undefined],
    ["types nothing while an input method composes", { key: "a", isComposing: true }, undefined]
  ])("%s", (_, key, text) => expect(typeAhead("g", { ...none, ...key })).toBe(text))
})
