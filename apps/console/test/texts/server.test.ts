import { describe, expect, it } from "vitest"
import { reasonText } from "../../src/api/failures.ts"
import { serverTexts } from "../../src/texts/de/server.ts"
import { saidReason, saidText } from "../../src/texts/Said.ts"

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

  it.each([
    ["already_replaced", /^Ein anderes Dokument/],
    ["nothing arrived before the upload address lapsed", /keine Datei angekommen/],
    ["2048 bytes were declared, 5 bytes arrived", /2 KiB, angekommen sind 5 bytes/],
    ["at most 2048 bytes are allowed, 4096 bytes arrived", /Erlaubt sind 2 KiB, angekommen sind 4 KiB/],
    ["image/png was declared, another media type arrived", /anderen Typs/],
    ["the file was sent with a content coding (the header Content-Encoding)", /Kodierung/]
  ])("a document has failed: %s", (reason, text) => expect(saidReason(serverTexts.reasons, reason)).toMatch(text))

  it("leaves the words of a reviewer as they are", () => {
    expect(saidReason(serverTexts.reasons, "The second page is missing.")).toBe("The second page is missing.")
    expect(reasonText("already_replaced")).toBe("another document has replaced its predecessor")
  })

  it("goes by the code of a problem, and leaves an unknown one as it is", () => {
    const textOf = (code: string, detail: string) => saidText(serverTexts.problems, { code, detail })
    expect(textOf("last_owner", "An owner is needed.")).toMatch(/^Eine Organisation braucht/)
    expect(textOf("too_many_webhooks", "At most 20 webhooks.")).toMatch(/höchstens 20 Webhooks/)
    expect(textOf("too_many_webhooks", "Too many.")).toBe("Too many.")
    expect(textOf("import_ended", "The server could not store the rows.")).toMatch(/^Der Server konnte/)
    expect(textOf("import_ended", "Other changes since the check leave 2 faults in the file.")).toMatch(/Prüfen Sie/)
    expect(textOf("invented_later", "Something new.")).toBe("Something new.")
  })
})
