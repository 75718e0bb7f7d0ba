/**
 * How the console is built: static files that a strict content security policy
 * accepts, so no inline script or style.
 */
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

// Replaced by the server in each answer.
const noncePlaceholder = "__CSP_NONCE__"

// Where `pnpm start` listens, unless told otherwise.
const server = process.env["SOLAR_SITES_SERVER"] ?? "http://localhost:3000"

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: { conditions: ["@solar-sites/source", "module", "browser", "development|production"] },
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    assetsDir: "assets",
    // What is inlined would need `data:` for fonts and scripts, and is sent again with each page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "baseline-widely-available",
    // All of them know `light-dark()`, which would be rewritten otherwise to what Mantine's colour schemes do not set.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    chunkSizeWarningLimit: 800
  },
  // The server takes changes from its own pages alone, so that is what these look like.
  server: {
    proxy: Object.fromEntries(
      ["/console", "/storage", "/api"].map((path) => [
        path,
        { target: server, changeOrigin: true, headers: { origin: server } }
      ])
    )
  }
})
