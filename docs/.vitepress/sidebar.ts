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

const parts = {
  Begin: [
    "start",
    "embedding",
    "host-data",
    "mounting",
    "effect",
    "server",
    "testing",
    "testing-data",
    "adapters",
    "ports"
  ].map(page),
  "Use it": [
    "http",
    "access",
    "documents",
    "coverage",
    "events",
    "csv",
    "finding",
    "webhooks",
    "alerts",
    "client",
    "console",
    "console-pages",
    "console-documents",
    "console-company",
    "console-sites",
    "people",
    "digest",
    "openid-connect"
  ].map(page),
  "Run it": [
    "settings",
    "commands",
    "import",
    "archive",
    "operations",
    "instances",
    "scale",
    "monitoring",
    "security",
    "security-checklist",
    "licences",
    "proofs",
    "performance",
    "benchmarks"
  ].map(page),
  "Keep it": ["postgres", "failover", "storage", "storage-s3", "filesystem", "redis"].map(page),
  "Understand it": ["architecture", "decisions/index"].map(page)
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
