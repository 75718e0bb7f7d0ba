#!/usr/bin/env node
/**
 * Entry point of `solar-sites`. Node caches compiled modules, which halves the
 * start time; without a writable cache folder the start is slower. This file is
 * JavaScript: for one of TypeScript that it has not cached, Node loads its compiler (18 MB).
 */
import { enableCompileCache } from "node:module"
import { setFlagsFromString } from "node:v8"

enableCompileCache()
// Disables pretenuring: after the long-lived objects of the start V8 would allocate objects of
// requests in the old generation, which only a full collection frees (decision 14).
setFlagsFromString("--no-allocation-site-pretenuring")
// The embedded Postgres is compiled once, not again for speed: that takes 550 MB for a moment and 90 MB for good (decision 4).
setFlagsFromString("--no-wasm-tier-up")
setFlagsFromString("--no-wasm-dynamic-tiering")
await import("./CommandLine.ts")
