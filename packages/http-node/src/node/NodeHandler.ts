/**
 * The only part of the platform package in use, bundled into this one. A module of its own, so
 * that nothing else of that package is bundled.
 */
export { makeHandler } from "@effect/platform-node/NodeHttpServer"
