/**
 * The one piece of the platform package that is used, and built into this one: a
 * handler of node:http. A module of its own, so that nothing else is taken along.
 */
export { makeHandler } from "@effect/platform-node/NodeHttpServer"
