import { get } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { migratedAt } from "../../Prepared.ts"
import { type ServerInProcess, serve } from "../../ServerInProcess.ts"
import { temporaryFolder } from "../../SolarSitesProcess.ts"
import { type Browser, browserOf, type Received } from "../Browser.ts"

const tiles = "https://tiles.example.com/{z}/{x}/{y}.png"
const paths = [
  "/",
  "/login",
  "/sites",
  "/sites/0190a5c0-0000-7000-8000-000000000000",
  "/sites/0190a5c0-0000-7000-8000-000000000000/documents",
  "/portfolios",
  "/portfolios/0190a5c0-0000-7000-8000-000000000000",
  "/profile",
  "/profile/api-keys",
  "/company",
  "/company/api-keys",
  "/company/activity"
]

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  folder = await temporaryFolder()
})

afterAll(() => folder[Symbol.asyncDispose]())

/** Waits for the build of a fresh checkout. */
const untilBuilt = (browser: Browser, path = "/"): Promise<Received> =>
  vi.waitFor(
    async () => {
      const received = await browser.send(`GET ${path}`)
      if (received.status === 503) expect(received.text).toMatch(/being built/)
      expect(received.status).toBe(200)
      return received
    },
    { timeout: 150_000, interval: 250 }
  )

const directivesOf = ({ headers }: Received): ReadonlyMap<string, string> =>
  new Map(
    (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ")
      return [name, sources.join(" ")]
    })
  )

const nonceOf = (received: Received): string =>
  /'nonce-([\w+/=]{20,})'/.exec(directivesOf(received).get("style-src") ?? "")?.[1] ?? "none"

/** Sends the path unchanged: `fetch` would resolve its dots. */
const statusAt = (address: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address)
    get({ hostname, port, path }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    }).once("error", reject)
  })

describe("the pages of the console", () => {
  let server: ServerInProcess
  let browser: Browser
  let page: Received

  beforeAll(async () => {
    const data = await migratedAt(join(folder.path, "pages"))
    server = await serve({ ...data, CONSOLE: "true", MAP_TILE_URL: tiles, MAP_ATTRIBUTION: "© Nobody" })
    browser = browserOf(server.address)
    page = await untilBuilt(browser)
  })

  afterAll(() => server.stop())

  it("are one document, with a new nonce in each response", async () => {
    const nonces = new Set<string>()
    for (const path of paths) {
      const received = await browser.send(`GET ${path}`)
      const nonce = nonceOf(received)
      nonces.add(nonce)
      expect(received.text).toContain(`<meta name="csp-nonce" content="${nonce}"`)
      expect(received.text).not.toContain("__CSP_NONCE__")
      expect(received.text.replaceAll(nonce, "")).toBe(page.text.replaceAll(nonceOf(page), ""))
      expect(received.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(received.headers.get("cache-control")).toBe("no-store")
      expect(received.headers.get("referrer-policy")).toBe("no-referrer")
      expect(received.headers.get("x-content-type-options")).toBe("nosniff")
    }
    expect(nonces.size).toBe(paths.length)
  })

  it("are in the language of the browser, or in the chosen one", async () => {
    const languageWith = async (headers: Readonly<Record<string, string>>) =>
      /<html lang="(.*)">/.exec((await browser.send("GET /sites", { headers })).text)?.[1]
    expect(await languageWith({ "accept-language": "de-AT,de;q=0.9,en;q=0.8" })).toBe("de")
    expect(await languageWith({ "accept-language": "fr" })).toBe("en")
    expect(await languageWith({ "accept-language": "en", cookie: "solar_language=de" })).toBe("de")
  })

  it("load from the server, show map tiles, and connect to the storage only", () => {
    expect(Object.fromEntries(directivesOf(page))).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": `'self' 'nonce-${nonceOf(page)}'`,
      "img-src": `'self' data: blob: https: ${server.address} https://tiles.example.com`,
      "connect-src": `'self' ${server.address}`,
      "font-src": "'self'",
      "frame-src": "blob:",
      "base-uri": "'none'",
      "form-action": "'self'",
      "frame-ancestors": "'none'"
    })
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style|https?:\/\/| on\w+=/)
  })

  it("may connect to the storage under the host name of the request", async () => {
    const origin = server.address.replace("127.0.0.1", "localhost")
    const directives = directivesOf(await browserOf(origin).send("GET /"))
    expect(directives.get("connect-src")).toBe(`'self' ${origin}`)
    expect(directives.get("img-src")).toContain(origin)
  })

  it("have immutable, compressed assets with conditional requests", async () => {
    const assets = [...page.text.matchAll(/"(\/assets\/[^"]+\.(js|css|svg))"/g)].map(([, path = "", kind = ""]) => ({
      path,
      kind
    }))
    const types = new Map([
      ["js", "text/javascript; charset=utf-8"],
      ["css", "text/css; charset=utf-8"],
      ["svg", "image/svg+xml"]
    ])
    expect(assets.length).toBeGreaterThan(1)
    for (const { kind, path } of assets) {
      const texts = new Set<string>()
      for (const coding of ["br", "gzip", "identity"]) {
        const received = await browser.send(`GET ${path}`, { headers: { "accept-encoding": coding } })
        const { headers } = received
        expect([path, headers.get("content-type"), headers.get("content-encoding") ?? "identity"]).toEqual([
          path,
          types.get(kind),
          coding
        ])
        expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
        expect(headers.get("vary")).toBe("Accept-Encoding")
        const again = { "accept-encoding": coding, "if-none-match": headers.get("etag") ?? "" }
        const unchanged = await browser.send(`GET ${path}`, { headers: again })
        expect([unchanged.status, unchanged.text]).toEqual([304, ""])
        texts.add(received.text)
      }
      expect(texts.size).toBe(1)
    }
  })

  it("are at no other path; only their files are served", async () => {
    for (const path of [
      "/sites/",
      "/sites/a/b",
      "/Login",
      "/login/",
      "/profile/keys",
      "/index.html",
      "/assets",
      "/assets/",
      "/assets/nothing.js",
      "/assets/__proto__"
    ]) {
      const { headers, outcome, status } = await browser.send(`GET ${path}`)
      expect([path, status, outcome]).toEqual([path, 404, "route_not_found"])
      expect(headers.get("content-type")).toBe("application/problem+json")
    }
    for (const path of [
      "/assets/../index.html",
      "/assets/..%2findex.html",
      "/assets/%2e%2e%2fpackage.json",
      "/assets/..\\index.html",
      "/assets/.",
      "/assets/..",
      "/sites/%2e%2e",
      "//login",
      "/assets/%00"
    ]) {
      expect([path, await statusAt(server.address, path)]).toEqual([path, 404])
    }
    for (const path of ["/", "/login", "/assets/nothing.js"]) {
      const { headers, outcome } = await browser.send(`POST ${path}`)
      expect([path, outcome, headers.get("allow")]).toEqual([path, "method_not_allowed", "GET, HEAD, OPTIONS"])
    }
  })

  it("contain the configured map", async () => {
    const { json } = await browser.send("GET /console/configuration")
    expect(json["map"]).toEqual({ tileUrl: tiles, attribution: "© Nobody" })
  })
})

describe("a server without a console", () => {
  it("redirects to the documentation, below a path or when the console is off", async () => {
    for (const [name, variables, home, bases] of [
      ["off", { CONSOLE: "false" }, "/docs", [{ url: "/" }]],
      ["path", { PUBLIC_URL: "https://example.com/solar/" }, "/solar/docs", [{ url: "/solar" }]]
    ] as const) {
      const server = await serve({ ...(await migratedAt(join(folder.path, name))), CONSOLE: "true", ...variables })
      const { send } = browserOf(server.address)
      const { headers, status } = await send("GET /")
      expect([status, headers.get("location")]).toEqual([302, home])
      expect((await send("GET /openapi.json")).json["servers"]).toEqual(bases)
      for (const path of ["/login", "/console/session", "/console/api/me", "/console/configuration", "/assets/x.js"]) {
        expect([path, (await send(`GET ${path}`)).outcome]).toEqual([path, "route_not_found"])
      }
      await server.stop()
      expect(server.logged().includes("console disabled because PUBLIC_URL has a path")).toBe(name === "path")
    }
  })
})
