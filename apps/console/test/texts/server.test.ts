import type { SolarSitesProblem } from "@solar-sites/http-node/client"
import { describe, expect, it, vi } from "vitest"

// As in the German build. Files of a worker share their modules, so those of this file are loaded anew.
const mocked = ["server", "failures"].map((name) => [`../../src/texts/en/${name}.ts`, `../../src/texts/de/${name}.ts`])
vi.resetModules()
for (const [english = "", german = ""] of mocked) vi.doMock(english, () => import(german))
const { SolarSitesProblem: Problem } = await import("@solar-sites/http-node/client")
const { faultText, fieldErrorsOf, messageOf, problemText } = await import("../../src/api/failures.ts")
for (const [english = ""] of mocked) vi.doUnmock(english)
vi.resetModules()

const problem = (code: string, detail: string, errors: SolarSitesProblem["errors"] = []) =>
  new Problem(
    { type: "", title: "", status: 409, detail, code, requestId: "1", errors },
    { what: "POST /console/sites", attempts: 1 },
    null
  )

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
  ])("%s: %s", (code, detail, text) => expect(faultText({ code, detail })).toBe(text))

  it("goes by the code of a problem, and leaves an unknown one as it is", () => {
    expect(problemText({ code: "last_owner", detail: "An owner is needed." })).toMatch(/^Eine Organisation braucht/)
    expect(messageOf(problem("invented_later", "Something new."))).toBe("Something new.")
  })

  it("is shown at fields and in messages", () => {
    const refused = problem("validation_failed", "", [{ pointer: "/name", code: "required", detail: "is required" }])
    expect(fieldErrorsOf(refused)).toEqual({ name: "fehlt" })
    expect(messageOf(refused)).toBe("Name: fehlt.")
  })
})
