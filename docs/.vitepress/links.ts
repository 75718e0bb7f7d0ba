/**
 * Links between pages are written as they work in the repository, from file to
 * file. In the site they lead to the addresses of the pages; of a link to any
 * other file of the repository, the text stays.
 */
import { existsSync } from "node:fs"
import { posix, relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { MarkdownRenderer } from "vitepress"
import { addressOf } from "./sidebar.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

const isPage = (path: string): boolean =>
  /^(docs\/.+|(packages|examples|apps)\/(.+\/)?README)\.md$/.test(path) && existsSync(`${root}${path}`)

/** Where a link of this file leads in the site; undefined when to no page. */
const siteAddress = (file: string, href: string): string | undefined => {
  const [path = "", hash] = href.split("#")
  if (path === "" || /^([a-z]+:|\/)/.test(path)) return href
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, "")
  const page = [target, `${target}/README.md`, `${target}/index.md`].find(isPage)
  return page === undefined ? undefined : `${addressOf(page)}${hash === undefined ? "" : `#${hash}`}`
}

export const linkWithinSite = (md: MarkdownRenderer): void => {
  md.core.ruler.push("link within the site", ({ env, tokens }) => {
    const file = relative(root, env.realPath ?? env.path).replaceAll("\\", "/")
    for (const { children } of tokens) {
      let dropping = false
      for (const token of children ?? []) {
        if (token.type === "link_open") {
          const address = siteAddress(file, token.attrGet("href") ?? "")
          dropping = address === undefined
          if (address !== undefined) token.attrSet("href", address)
        }
        if (dropping && (token.type === "link_open" || token.type === "link_close")) {
          dropping = token.type === "link_open"
          // An element without a place to lead to.
          token.tag = "span"
          token.attrs = null
          if (token.type === "link_open") token.type = "span_open"
          else token.type = "span_close"
        }
      }
    }
  })
}
