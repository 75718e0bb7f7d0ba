import { describe, expect, it } from "vitest"
import { serverTexts } from "../../src/texts/de/server.ts"
import { saidText } from "../../src/texts/Said.ts"

describe("what the server says, in German", () => {
  it.each([
    ["too_long", "must have at most 200 characters", "darf höchstens 200 Zeichen haben"],
    ["too_short", "must not be empty", "darf nicht leer sein"],
    ["too_many", "must be at most 20 tags", "darf höchstens 20 Einträge haben"],
    ["too_few", "must hold at least 1 scope", "muss mindestens einen Eintrag haben"],
    ["out_of_range", "must be greater than 0", "muss größer als 0 sein"],
    ["out_of_range", "must be from -90 to 90", "muss zwischen -90 und 90 liegen"],
    ["out_of_range", "must not be before validFrom", "darf nicht vor „Gültig ab“ liegen"],
    ["out_of_range", "must be a new rule", "liegt außerhalb des möglichen Bereichs"],
    ["invalid_value", "must be one of owner, admin", "muss einer dieser Werte sein: owner, admin"],
    ["invalid_value", "must have at least 12 characters", "muss mindestens 12 Zeichen haben"],
    ["duplicate", "is in row 3 too", "steht auch in Zeile 3"],
    ["cell_error", "is #REF!", "enthält den Fehler #REF!"],
    ["invented_later", "must be seen", "must be seen"]
  ])("%s: %s", (code, detail, text) => expect(saidText(serverTexts.faults, { code, detail })).toBe(text))

  it("goes by the code of a problem, and leaves an unknown one as it is", () => {
    const textOf = (code: string, detail: string) => saidText(serverTexts.problems, { code, detail })
    expect(textOf("last_owner", "An owner is needed.")).toMatch(/^Eine Organisation braucht/)
    expect(textOf("too_many_webhooks", "At most 20 webhooks.")).toMatch(/höchstens 20 Webhooks/)
    expect(textOf("too_many_webhooks", "Too many.")).toBe("Too many.")
    expect(textOf("invented_later", "Something new.")).toBe("Something new.")
  })
})
