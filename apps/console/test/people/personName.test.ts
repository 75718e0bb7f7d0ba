import { describe, expect, it } from "vitest"
import { personName } from "../../src/people/personName.ts"

const people = [{ id: "1", name: "Ada" }]

describe("the name of a user in an audit trail", () => {
  it.each([
    ["is that of the person", "1", false, "Ada"],
    ["is known while the people are read again", "1", true, "Ada"],
    ["is not guessed while the people are read", "2", true, undefined],
    ["is the id of a user who is not among the people", "2", false, "User 2"]
  ])("%s", (_, id, isReading, name) => expect(personName(id, people, isReading)).toBe(name))
})
