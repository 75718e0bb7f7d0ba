#!/usr/bin/env node
/**
 * The process `solar-sites`. What it loads is compiled once and kept by Node,
 * which halves the time until anything happens; a folder that cannot be written
 * to costs only that.
 */
import { enableCompileCache } from "node:module"

enableCompileCache()
await import("./CommandLine.ts")
