import { readdir, readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const source = fileURLToPath(new URL("../src", import.meta.url))

const files = async () => {
  const names = await readdir(source, { recursive: true })
  return Promise.all(
    names
      .filter((name) => name.endsWith(".ts"))
      .map(async (name) => ({ name, text: await readFile(join(source, name), "utf8") }))
  )
}

describe("the sources of the adapter", () => {
  it("never hold a transaction or a connection across a round trip", async () => {
    for (const { name, text } of await files()) assert.notMatch(text, /\.(begin|reserve|savepoint)\s*\(/, name)
  })

  it("import the driver in one place", async () => {
    const importing = (await files()).filter(({ text }) => /from "postgres"|import\("postgres"\)/.test(text))
    assert.deepStrictEqual(
      importing.map(({ name }) => name),
      ["client/PgDriver.ts"]
    )
  })

  it("answer the types of events wherever a statement writes them", async () => {
    const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
    for (const { name, text } of await files()) {
      if (name.endsWith("PgEventLog.ts")) continue
      assert.strictEqual(count(text, /\$\{writtenTypes\}/g), count(text, /\b(?:writeEvents|eventsFrom)\(/g), name)
    }
  })

  it("convert the text of many ids once, and not for every compared row", async () => {
    for (const { name, text } of await files()) assert.notMatch(text, /any \(\$\S*::text::uuid\[\]\)/, name)
  })

  it("name tables as parts of texts, so that Citus gets their shards", async () => {
    for (const { name, text } of await files()) {
      if (/^(repositories|records|tables)\//.test(name)) assert.notMatch(text, /\$\{[\w.]*schema\}/, name)
    }
  })

  it("run on the patched driver", async () => {
    const main = createRequire(import.meta.url).resolve("postgres")
    for (const variant of ["../../src", "../../cjs/src", "../../cf/src"]) {
      const text = await readFile(join(main, "..", variant, "connection.js"), "utf8")
      assert.include(text, "if (socket === null)", variant)
      assert.include(text, "first || sent.push(q)", variant)
      assert.include(text, "chunk = nextWriteTimer = null\n    socket.removeListener('data', data)", variant)
    }
  })
})
