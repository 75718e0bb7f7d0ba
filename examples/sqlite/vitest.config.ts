import { defineConfig } from "vitest/config"
import { project } from "../../vitest.shared.ts"

// A case stores ten thousand documents, which each further one counts.
export default defineConfig(project("sqlite", { testTimeout: 300_000 }))
