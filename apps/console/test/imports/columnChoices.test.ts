import { describe, expect, it } from "vitest"
import type { FileColumn } from "../../src/api/imports.ts"
import { attributeOf, firstChoices, isUndecided, mappingsOf } from "../../src/imports/columnChoices.ts"

const column = (header: string, target: string | null, suggestion: string | null = null): FileColumn => ({
  ...{ index: 0, header, target, unit: null, suggestion, samples: [] }
})

const columns = [
  column("Site name", "siteName"),
  column("Plant", null, "siteName"),
  column("Name 2", null, "address"),
  column("Street", null, "address"),
  column("id", "id"),
  column("attributes.Colour", "attributes.Colour"),
  column("Notes", null)
]

describe("the choices of columns", () => {
  it("begin with the known members, each suggestion once, and without members of the service", () => {
    const choices = firstChoices({ columns, members: ["siteName", "address"], faults: [] })
    expect([...choices.values()]).toEqual(["siteName", "", "address", "", "-", "attributes.Colour", ""])
    expect([...choices].filter(([, choice]) => isUndecided(choice)).map(([header]) => header)).toEqual([
      ...["Plant", "Street", "Notes"]
    ])
  })

  it("name an attribute after a long header, without half a character at its end", () => {
    expect(attributeOf({ header: `${"a".repeat(99)}😀b` })).toBe(`attributes.${"a".repeat(99)}\ufffd`)
  })

  it("become mappings where the server would read a column otherwise", () => {
    const choices = new Map([...columns.map(({ header, target }) => [header, target ?? "-"] as const), ["id", "-"]])
    expect(mappingsOf(columns, choices).map(({ column, target }) => `${column} ${target}`)).toEqual([
      ...["Plant -", "Name 2 -", "Street -", "id -", "Notes -"]
    ])
  })
})
