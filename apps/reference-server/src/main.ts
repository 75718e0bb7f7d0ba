#!/usr/bin/env node
/**
 * Entry point of `solar-sites`. Node caches compiled modules, which halves the
 * start time; without a writable cache folder the start is slower.
 */
import { enableCompileCache } from "node:module"
import { setFlagsFromString } from "node:v8"

enableCompileCache()
// Disables pretenuring: after the long-lived objects of the start V8 would allocate objects of
// requests in the old generation, which only a full collection frees (decision 14).
setFlagsFromString("--no-allocation-site-pretenuring")
await import("./CommandLine.ts")
