import { resolve } from "node:path"
import type { NextConfig } from "next"

// Inside this repository the packages resolve to their sources. With packages from npm, remove this.
const sources = {
  root: resolve("../.."),
  resolveAlias: {
    "@solar-sites/core": "../../packages/core/src/index.ts",
    "@solar-sites/core/model": "../../packages/core/src/model.ts",
    "@solar-sites/core/options": "../../packages/core/src/options.ts",
    "@solar-sites/http-node": "../../packages/http-node/src/index.ts",
    "@solar-sites/testing": "../../packages/testing/src/index.ts"
  }
}

// A test starts once. A cache on disk and maps of sources would take a quarter of its time.
const once = { turbopackFileSystemCacheForDev: false, turbopackSourceMaps: false, turbopackInputSourceMaps: false }

const config: NextConfig = { turbopack: sources, ...(process.env["CI"] === undefined ? {} : { experimental: once }) }

export default config
