#!/usr/bin/env node
/**
 * The process `solar-sites`. What it loads is compiled once and kept by Node,
 * which halves the time until anything happens; a folder that cannot be written
 * to costs only that.
 */
import { enableCompileCache } from "node:module"
import { setFlagsFromString } from "node:v8"

enableCompileCache()
// V8 may conclude from objects that have lived long, as at a start, that others made at the same place will too, and make them
// old: what each request leaves behind is then kept until the next full collection, and copied first (decision 14).
setFlagsFromString("--no-allocation-site-pretenuring")
await import("./CommandLine.ts")
