/**
 * How the console is built: static files that a strict content security policy
 * accepts, so no inline script or style.
 */
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"
import { inLanguage } from "./inLanguage.ts"

// The server replaces it in each answer.
const noncePlaceholder = "__CSP_NONCE__"

// Where `pnpm start` listens, unless told otherwise.
const server = process.env["SOLAR_SITES_SERVER"] ?? "http://localhost:3000"

// Nothing is painted without the styles: on a slow network the scripts, eight times as large, give way to them.
const stylesFirst: Plugin = {
  name: "styles-first",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"')
  }
}

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // `build.ts` adds the language of each build.
  plugins: [react(), stylesFirst, command === "serve" && inLanguage(process.env["CONSOLE_LANGUAGE"] ?? "en")],
  resolve: { conditions: ["@solar-sites/source", "module", "browser", "development|production"] },
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // Inlined assets need `data:` in the content security policy, and are sent again with each page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "baseline-widely-available",
    // These know `light-dark()`. For older browsers it is rewritten in a way that Mantine's colour schemes do not support.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // A chunk per set of pages that share a module makes 50 requests for the list of documents.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "first", test: /node_modules/, tags: ["$initial"], priority: 4 },
            { name: "start", test: /\.tsx?$/, tags: ["$initial"], priority: 3 },
            { name: "shared", test: /node_modules/, minShareCount: 5, priority: 2 },
            { name: "common", test: /\.tsx?$/, minShareCount: 3, priority: 1 }
          ]
        }
      }
    },
    chunkSizeWarningLimit: 800,
    license: { fileName: "licences.md" }
  },
  // The server accepts changes with its own origin only.
  server: {
    proxy: Object.fromEntries(
      ["/console", "/storage", "/api"].map((path) => [
        path,
        { target: server, changeOrigin: true, headers: { origin: server } }
      ])
    )
  }
}))
