import { execFileSync, execSync } from "node:child_process"
import { existsSync, globSync, readFileSync } from "node:fs"
import { delimiter, posix } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { pages, readPage } from "../../scripts/blocks.ts"
import { addressOf, guide, sidebar } from "../.vitepress/sidebar.ts"

const docs = fileURLToPath(new URL("../", import.meta.url))
const root = fileURLToPath(new URL("../../", import.meta.url))
const site = `${docs}dist/site/`

const env = { ...process.env, SITE_CHECK: "1" }

/** Installs the tools of the site, checks their types and builds it; the output when that fails. */
const build = (): string => {
  try {
    const tools = ["-y", "pnpm@10", "--dir", "docs/.vitepress", "install", "--frozen-lockfile"]
    execFileSync("npx", tools, { cwd: root, env, encoding: "utf8", stdio: "pipe" })
    // The script `build`, with the compiler of the workspace. It runs without pnpm: pnpm takes two seconds to start.
    const { scripts } = JSON.parse(readFileSync(`${docs}.vitepress/package.json`, "utf8"))
    const PATH = [`${root}node_modules/.bin`, `${docs}.vitepress/node_modules/.bin`, process.env["PATH"]].join(
      delimiter
    )
    execSync(scripts.build, { cwd: `${docs}.vitepress`, env: { ...env, PATH }, encoding: "utf8", stdio: "pipe" })
    return ""
  } catch (cause) {
    return `${Object(cause).stdout}${Object(cause).stderr}`
  }
}

/** Address of a page from the root of the site, to its markup. */
const readSite = (): ReadonlyMap<string, string> =>
  new Map(
    globSync("**/*.html", { cwd: site }).map((path) => [
      `/${path.replaceAll("\\", "/").replace(/(index)?\.html$/, "")}`,
      readFileSync(`${site}${path}`, "utf8")
    ])
  )

const linksIn = (items: ReturnType<typeof sidebar>): ReadonlyArray<string> =>
  items.flatMap(({ items: inner = [], link }) => [...(link === undefined ? [] : [link]), ...linksIn(inner)])

// The ids of headings that are not Latin are percent-encoded in links.
const idsIn = (markup: string) => new Set([...markup.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id))

it("begins with pages that are read in about an hour, at 200 words a minute", () => {
  const texts = guide.map((path) => readPage(path).replace(/```.*?```/gs, ""))
  const words = texts.flatMap((text) => text.replaceAll("|", "").match(/\S+/g) ?? [])
  expect(words.length / 200).toBeLessThan(62)
})

describe("the site", () => {
  let built: ReadonlyMap<string, string>

  beforeAll(() => {
    // Links to pages that there are not end this with their names.
    expect(build()).toBe("")
    built = readSite()
  })

  it("has every page, within reach of the bar beside them", () => {
    const shown = pages.filter(
      (page) => page.startsWith("docs/") || /^(packages|examples|apps)\/[^/]+\/README\.md$/.test(page)
    )
    const links = linksIn(sidebar())
    for (const page of shown) {
      const address = addressOf(page)
      expect([...built.keys()]).toContain(address)
      if (address !== "/") expect(links).toContain(address)
    }
  })

  it("has the place in a page that a link names", () => {
    // Each page is searched once: hundreds of links lead to some.
    const ids = new Map([...built].map(([address, markup]) => [address, idsIn(markup)]))
    const missing = [...built].flatMap(([address, markup]) =>
      [...markup.matchAll(/<a [^>]*href="([^"#:]*)#([^"]+)"/g)].flatMap(([, path = "", id = ""]) => {
        const target = path === "" ? address : path.replace(/(index)?\.html$/, "")
        const isThere = ids.get(target)?.has(decodeURIComponent(id)) === true
        return isThere ? [] : [`${address}: ${path}#${id}`]
      })
    )
    expect(missing).toEqual([])
  })

  it("asks nobody else for anything", () => {
    for (const [address, markup] of built) {
      const asked = markup.match(/<(?:script|link|img|iframe|source)\b[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g)
      expect({ address, asked }).toEqual({ address, asked: null })
    }
    for (const style of globSync("**/*.css", { cwd: site })) {
      expect(readFileSync(`${site}${style}`, "utf8")).not.toMatch(/url\(["']?(https?:)?\/\//)
    }
  })
})

it("every decision is in their list", () => {
  const decisions = pages.flatMap((page) => /^docs\/decisions\/(\d.+)$/.exec(page)?.[1] ?? [])
  const list = readPage("docs/decisions/index.md")
  expect(decisions.filter((name) => !list.includes(`](${name})`))).toEqual([])
  const numbers = decisions.map((name) => Number(/^# (\d+)\. /.exec(readPage(`docs/decisions/${name}`))?.[1]))
  expect(decisions.map((name) => Number.parseInt(name, 10))).toEqual(numbers)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

describe("a package", () => {
  const readmes = pages.filter((page) => /^packages\/[^/]+\/README\.md$/.test(page))
  const manifestOf = (readme: string) => JSON.parse(readPage(readme.replace("README.md", "package.json")))

  it.for(readmes)("is published with a page whose links lead somewhere there, too: %s", (page) => {
    const { files } = manifestOf(page)
    const local = [...readPage(page).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target = ""]) => target)
    expect(local.filter((target) => !files.includes(target))).toEqual([])
  })

  it.for(readmes)("runs on the Node that its page and those about using it say: %s", (page) => {
    const [, oldest] = /^>=(\d+\.\d+)$/.exec(manifestOf(page).engines.node) ?? []
    for (const told of [page, "README.md", "docs/embedding.md", "docs/start.md"]) {
      expect({ told, text: readPage(told) }).toEqual({
        told,
        text: expect.stringMatching(new RegExp(`needs? Node ${oldest} or later`))
      })
    }
  })
})

describe("a link between files of the repository", () => {
  it.for(pages)("leads somewhere: %s", (page) => {
    const targets = [...readPage(page).matchAll(/\]\((?![a-z]+:|#|\/)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
      ([, target = ""]) => target
    )
    // The API reference is made with the site.
    const local = targets.filter((target) => !target.startsWith("api/"))
    const missing = local.filter(
      (target) => !existsSync(`${root}${posix.join(posix.dirname(page), decodeURIComponent(target))}`)
    )
    expect(missing).toEqual([])
  })
})
