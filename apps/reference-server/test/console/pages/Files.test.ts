import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { DocumentStorage } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../../../src/console/Cookie.ts"
import { readConsoleFiles } from "../../../src/console/pages/ConsoleFiles.ts"
import { contentSecurityPolicy, storageOrigin } from "../../../src/console/pages/ContentSecurity.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"

describe("the content security policy", () => {
  it("has the origin of the storage, and of tiles if configured", () => {
    const policy = contentSecurityPolicy("abc", { storage: "https://bucket.s3.example.com", tiles: undefined })
    expect(policy).toContain("; img-src 'self' data: blob: https: https://bucket.s3.example.com;")
    expect(policy).toContain("; connect-src 'self' https://bucket.s3.example.com;")
    const alone = contentSecurityPolicy("abc", { storage: undefined, tiles: "https://tiles.example.com" })
    expect(alone).toContain("; img-src 'self' data: blob: https: https://tiles.example.com;")
    expect(alone).toContain("; connect-src 'self';")
    expect(alone).toContain("; frame-src blob:;")
    for (const unsafe of ["unsafe-inline", "unsafe-eval", "*", "undefined"]) expect(alone).not.toContain(unsafe)
  })

  it("takes the origin of the storage from a signed address", async () => {
    const storage = Layer.mock(DocumentStorage, {
      signDownload: (_organisation, { key }) => Effect.succeed(`https://bucket.s3.example.com:8443/${key}?signature=x`)
    })
    expect(await Effect.runPromise(Effect.provide(storageOrigin, storage))).toBe("https://bucket.s3.example.com:8443")
  })
})

describe("the files of the console", () => {
  it("are those of the folder of each language, with the codings of their type", async () => {
    await using folder = await temporaryFolder()
    const contents = { "index-a1.js": "console.log(1)", "style-b2.css": "a{}", "font-c3.woff2": "font", "x.bin": "x" }
    for (const [language, own] of [
      ["de", "index-d4.js"],
      ["en", "index-e5.js"]
    ] as const) {
      const assets = join(folder.path, language, "assets")
      await mkdir(join(assets, "nested"), { recursive: true })
      await writeFile(join(folder.path, language, "index.html"), `<html lang="${language}">`)
      for (const [name, text] of Object.entries({ ...contents, [own]: own })) await writeFile(join(assets, name), text)
    }
    const { assets, pages } = await Effect.runPromise(readConsoleFiles(folder.path))
    expect([...pages]).toEqual([
      ["en", '<html lang="en">'],
      ["de", '<html lang="de">']
    ])
    expect([...assets.keys()].toSorted()).toEqual([...Object.keys(contents), "index-d4.js", "index-e5.js"].toSorted())
    const sent = async (name: string, coding: string) => {
      const asset = assets.get(name) ?? (() => Effect.die(name))
      return HttpServerResponse.toWeb(await Effect.runPromise(asset({ "accept-encoding": coding })))
    }
    const types = await Promise.all(
      [...assets.keys()].map(async (name) => (await sent(name, "")).headers.get("content-type"))
    )
    expect(types).toEqual(
      expect.arrayContaining(["text/javascript; charset=utf-8", "font/woff2", "application/octet-stream"])
    )
    const body = async (coding: string) => new Uint8Array(await (await sent("index-a1.js", coding)).arrayBuffer())
    const texts = [brotliDecompressSync(await body("br")), gunzipSync(await body("gzip")), await body("identity")]
    expect(texts.map((bytes) => Buffer.from(bytes).toString())).toEqual(Array(3).fill("console.log(1)"))
    expect((await sent("font-c3.woff2", "br, gzip")).headers.get("content-encoding")).toBeNull()
  })
})

describe("the cookie of a session", () => {
  it("is read only as it was set, over https under another name", () => {
    const token = "A".repeat(43)
    for (const [isSecure, cookie, isRead] of [
      [false, `solar_session=${token}`, true],
      [false, `a=b; solar_session=${token};c=d`, true],
      [false, `__Host-solar_session=${token}`, false],
      [true, `__Host-solar_session=${token}`, true],
      [true, `solar_session=${token}`, false],
      [true, `__Host-solar_session=${token}; __Host-solar_session=${token}`, false],
      [false, `xsolar_session=${token}`, false],
      [false, undefined, false]
    ] as const) {
      expect([cookie, sessionCookie(isSecure).read({ cookie }) !== undefined]).toEqual([cookie, isRead])
    }
  })
})
