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

const config: NextConfig = { turbopack: sources }

export default config
