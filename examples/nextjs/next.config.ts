import { resolve } from "node:path"
import type { NextConfig } from "next"

// Inside this repository the packages are read from their sources; with those of npm nothing of this is needed.
const sources = {
  root: resolve("../.."),
  resolveAlias: {
    "@solar-sites/core": "../../packages/core/src/index.ts",
    "@solar-sites/core/model": "../../packages/core/src/model.ts",
    "@solar-sites/http-node": "../../packages/http-node/src/index.ts",
    "@solar-sites/testing": "../../packages/testing/src/index.ts"
  }
}

const config: NextConfig = { turbopack: sources }

export default config
