/**
 * Tests of an application and of an adapter with the installed packages and Node's test runner.
 */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import {
  MemoryAdapters,
  organisationRepositoryConformance,
  runConformance,
  siteRepositoryConformance
} from "@solar-sites/testing"
import { overHttp } from "./overHttp.ts"

const adapter = { name: "memory", layer: MemoryAdapters.layer }
runConformance({ describe, it }, organisationRepositoryConformance, adapter)
runConformance({ describe, it }, siteRepositoryConformance, adapter)

it("the harness serves over HTTP what was made through promises", async () => {
  const { siteName, text } = await overHttp("/api/sites")
  assert.ok(text.includes(siteName))
})
