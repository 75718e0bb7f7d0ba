import { describe, expect, it } from "vitest"
import { german } from "../../../reference-server/src/mail/texts/de.ts"
import { english } from "../../../reference-server/src/mail/texts/en.ts"
import * as germanDocuments from "../../src/texts/de/documents.ts"
import * as germanShell from "../../src/texts/de/shell.ts"
import * as englishDocuments from "../../src/texts/en/documents.ts"
import * as englishShell from "../../src/texts/en/shell.ts"

describe("the mails", () => {
  it.each([
    ["English", english, englishDocuments, englishShell],
    ["German", german, germanDocuments, germanShell]
  ])("name kinds of documents and pages as the console does, in %s", (_, mails, documents, shell) => {
    expect(mails.digest.documentTypes).toEqual(documents.documentTexts.documentTypes)
    expect(mails.digest.account).toBe(shell.shellTexts.myAccount)
    expect(mails.digest.change).toContain(shell.shellTexts.myAccount)
  })
})
