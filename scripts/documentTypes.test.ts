/** The digest names types of documents as the English console does. The console imports nothing of the server. */
import { expect, it } from "vitest"
import { readRepository } from "./repository.ts"

const files = readRepository()

const namesIn = (path: string): ReadonlyArray<string> =>
  /const documentTypes: [^{]+\{\n([^}]+)\n\}/.exec(files.get(path) ?? "")?.[1]?.split("\n") ?? []

it("types of documents have one name in mails and in the console", () => {
  const names = namesIn("apps/console/src/texts/en/documents.ts")
  expect(names).toContain('  land_lease: "Land lease",')
  expect(namesIn("apps/reference-server/src/digest/DigestLetter.ts")).toEqual(names)
})
