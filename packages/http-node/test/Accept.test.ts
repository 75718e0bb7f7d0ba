import { describe, expect, it } from "vitest"
import { negotiate } from "../src/pipeline/Accept.ts"

describe("the header Accept of a list", () => {
  it.each([
    [undefined],
    [""],
    ["*/*"],
    ["application/json"],
    ["application/*"],
    ["APPLICATION/JSON; charset=utf-8"],
    ["text/html, application/xhtml+xml, */*;q=0.8"],
    ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"],
    ["text/html;q=0.8333, */*;q=0.3333"],
    ["text/csv;q=0.5, application/json"],
    ["text/csv;q=0, */*"],
    ["text/*;q=0, */*"],
    ["application/json, text/csv"],
    ["application/*, text/*"]
  ])("%s is answered with JSON", (accept) => {
    expect(negotiate(accept)).toBe("application/json")
  })

  it.each([
    ["text/csv"],
    ["Text/CSV; header=present"],
    ["text/*"],
    ["text/csv, */*"],
    ["*/*, text/csv"],
    ["text/csv, application/json"],
    ["application/json;q=0.9, text/csv"],
    ["application/json; q=0.5, text/*;q=0.7, text/csv;q=0.6"],
    ["application/json;q=0, */*;q=0.1"]
  ])("%s is answered with CSV", (accept) => {
    expect(negotiate(accept)).toBe("text/csv")
  })

  it.each([
    ["text/html"],
    ["text/plain, image/*"],
    ["text/csv;q=0"],
    ["text/csv;q=0.000, application/json;q=0"],
    ["*/*;q=0"],
    ["application/json;q=high"],
    ["application/json;q=2"],
    ["json"],
    [","]
  ])("%s cannot be answered", (accept) => {
    expect(negotiate(accept)).toBeUndefined()
  })
})
