/**
 * What stands beside every page: the pages in the order in which they are read.
 * A page without a place in this list comes under "More".
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** An entry in the form of VitePress. The workspace does not install its types. */
interface SidebarItem {
  readonly text: string
  readonly link?: string
  readonly collapsed?: boolean
  readonly items?: Array<SidebarItem>
}

const root = fileURLToPath(new URL("../../", import.meta.url))

const find = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  globSync([...patterns], { cwd: root, exclude: (path) => /node_modules|docs[\\/]api/.test(path) })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()

const page = (name: string) => `docs/${name}.md`

/** Read from the first to the last page in about an hour, without code blocks; a test counts. */
export const guide = [
  "start",
  "embedding",
  "host-data",
  "mounting",
  "effect",
  "testing",
  "adapters",
  "server",
  "documents",
  "coverage",
  "events",
  "webhooks",
  "storage",
  "access",
  "operations",
  "postgres",
  "security",
  "architecture"
].map(page)

const parts = {
  "Read in an hour": guide,
  "Set it up": [
    "people",
    "openid-connect",
    "digest",
    "alerts",
    "import",
    "archive",
    "storage-s3",
    "instances",
    "scale",
    "failover",
    "citus"
  ].map(page),
  "The console": ["console", "console-pages", "console-sites", "console-documents", "console-company"].map(page),
  "Look it up": [
    "http",
    "client",
    "finding",
    "settings",
    "commands",
    "monitoring",
    "ports",
    "security-checklist",
    "licences",
    "proofs",
    "performance",
    "decisions/index"
  ].map(page)
}

/** The address of a page in the site, as the rewrites of the configuration make it. */
export const addressOf = (path: string): string =>
  `/${path
    .replace(/^docs\//, "")
    .replace(/(^|\/)(README|index)\.md$/, "$1")
    .replace(/\.md$/, "")}`

const titleOf = (path: string): string => /^# (.+)$/m.exec(readFileSync(`${root}${path}`, "utf8"))?.[1] ?? path

const link = (path: string): SidebarItem => ({ text: titleOf(path), link: addressOf(path) })

const group = (text: string, paths: ReadonlyArray<string>, collapsed = false): SidebarItem => ({
  text,
  collapsed,
  items: paths.filter((path) => existsSync(`${root}${path}`)).map(link)
})

const placed: ReadonlySet<string> = new Set([...Object.values(parts).flat(), page("index")])

export const sidebar = (): Array<SidebarItem> => {
  const decisions = find("docs/decisions/*.md")
  const groups = [
    ...Object.entries(parts).map(([text, paths]) => group(text, paths)),
    group(
      "More",
      find("docs/**/*.md").filter((path) => !placed.has(path) && !decisions.includes(path))
    ),
    group("Decisions", decisions, true),
    group("Packages", find("packages/*/README.md"), true),
    group("Examples", find("examples/README.md", "examples/*/README.md", "apps/*/README.md"), true),
    { text: "API reference", link: "/api/" }
  ]
  return groups.filter(({ items }) => items === undefined || items.length > 0)
}
