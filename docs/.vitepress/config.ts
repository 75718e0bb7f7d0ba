/**
 * The documentation as a site. It loads nothing from other servers: fonts, search
 * and pictures are its own.
 */
import { fileURLToPath } from "node:url"
import { type DefaultTheme, defineConfig, type Plugin } from "vitepress"
import { linkWithinSite } from "./links.ts"
import { sidebar } from "./sidebar.ts"

const here = fileURLToPath(import.meta.url)

/** Pages become components. They stand outside this folder and find its Vue. */
const vueForAll: Plugin = {
  name: "vue for all pages",
  enforce: "pre",
  resolveId(id, importer, options) {
    const isPage = importer !== undefined && /\.md(\?|$)/.test(importer)
    return /^vue(\/|$)/.test(id) && isPage ? this.resolve(id, here, { ...options, skipSelf: true }) : undefined
  }
}

const escapes = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"]
])

const plain = (code: string): string =>
  `<pre v-pre><code>${code.replaceAll(/[&<>]/g, (character) => escapes.get(character) ?? character)}</code></pre>`

type Render = NonNullable<DefaultTheme.LocalSearchOptions["_render"]>

/** Renders a page for the search index, which has texts alone: highlighting code took a seventh of the build. */
const renderForSearch: Render = (source, env, md) => {
  const { highlight } = md.options
  md.options.highlight = null
  try {
    return md.render(source, env)
  } finally {
    md.options.highlight = highlight
  }
}

/**
 * The test of the site checks pages and links in them, which colours, the search index, the bar beside the pages and
 * short scripts do not change: they take two thirds of the time.
 */
const isChecked = process.env["SITE_CHECK"] === "1"

export default defineConfig({
  title: "Solar Sites",
  description: "Solar sites, portfolios and documents, kept strictly apart per organisation.",
  lang: "en-GB",
  // A page without an icon of its own would be asked for one.
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: "..",
  outDir: "dist/site",
  cacheDir: "node_modules/.cache/vitepress",
  srcExclude: ["*.md", ".*/**", "benchmarks/**", "docs/dist/**", "{packages,apps,examples}/*/{!(README).md,*/**}"],
  rewrites: {
    "docs/:path*": ":path*",
    "packages/:name/README.md": "packages/:name/index.md",
    "apps/:name/README.md": "apps/:name/index.md",
    "examples/README.md": "examples/index.md",
    "examples/:name/README.md": "examples/:name/index.md"
  },
  themeConfig: {
    sidebar: isChecked ? [] : sidebar(),
    outline: { level: [2, 3] },
    ...(isChecked ? {} : { search: { provider: "local", options: { _render: renderForSearch } } }),
    nav: [
      { text: "Start", link: "/start" },
      { text: "API reference", link: "/api/" }
    ]
  },
  // The search index is large, and is loaded with the first search.
  vite: {
    plugins: [vueForAll],
    build: { chunkSizeWarningLimit: 2_000, minify: !isChecked, rollupOptions: { treeshake: !isChecked } }
  },
  markdown: {
    ...(isChecked ? { highlight: plain } : {}),
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config: (md) => void md.use(linkWithinSite)
  }
})
