/** The digest names types of documents as the console does. The console imports nothing of the server. */
import { expect, it } from "vitest"
import { readRepository } from "./repository.ts"

const files = readRepository()

const namesIn = (path: string): ReadonlyArray<string> => {
  const [, lines = ""] = /documentTypes:(?: [^{\n]*=)? \{\n([^}]+)\n *\}/.exec(files.get(path) ?? "") ?? []
  return lines.split("\n").map((line) => line.trim())
}

it.each([
  ["en", 'land_lease: "Land lease",'],
  ["de", 'land_lease: "Pachtvertrag",']
])("types of documents have one name in mails and in the console in %s", (language, example) => {
  const names = namesIn(`apps/console/src/texts/${language}/documents.ts`)
  expect(names).toContain(example)
  expect(namesIn(`apps/reference-server/src/mail/texts/${language}Digest.ts`)).toEqual(names)
})
