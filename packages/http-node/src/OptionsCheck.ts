/**
 * Checks the options of a host when a binding is made. Each message says what to give and repeats
 * no secret.
 */
import { secretValue } from "@solar-sites/core/options"
import type { HttpOptions } from "./Options.ts"
import { clientAddressOf } from "./pipeline/ClientAddress.ts"
import { corsOf } from "./pipeline/Cors.ts"
import { isLimited } from "./pipeline/RateLimit.ts"

// As sent in requests. Other characters of an address have a meaning for routers (`:`, `*`) or are escaped.
const isPath = (path: unknown): boolean =>
  typeof path === "string" && /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~%@!&',;=-]+)+$/.test(path)

const shown = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : `a ${typeof value}`)

const checkPath = (name: "prefix" | "publicPath" | "secondPrefix", path: unknown): void => {
  if (path === undefined || isPath(path)) return
  throw new TypeError(
    `${name}: ${shown(path)} is no path such as /solar, which begins with a slash and does not end with one`
  )
}

const functions = {
  authenticate: "a function from a request to its caller",
  storage: "the function itself, such as files.app and not files.app()",
  notFound: "a function that serves a request, as those of endpoints do",
  clientAddress: "a function from a request to its address",
  onRequest: "a function that takes an access line",
  isShuttingDown: "a function that says whether the host means to stop"
} as const

const flags = ["compression", "requestOrigin", "catchAll"] as const

const checkFlags = (options: HttpOptions): void => {
  for (const name of flags) {
    const given: unknown = Reflect.get(options, name)
    if (given !== undefined && typeof given !== "boolean") throw new TypeError(`${name}: give true or false`)
  }
}

const checkFunctions = (options: HttpOptions): void => {
  for (const [name, what] of Object.entries(functions)) {
    const given: unknown = Reflect.get(options, name)
    if (given !== undefined && typeof given !== "function") throw new TypeError(`${name}: give ${what}`)
  }
}

const lists = {
  corsOrigins: '["https://app.example.com"]',
  trustedProxies: '["10.0.0.0/8"]',
  endpoints: '[{ method: "GET", path: "/pages", serve }]',
  healthChecks: '[{ name: "database", problem: "database_unavailable", isUp }]'
} as const

const checkLists = (options: HttpOptions): void => {
  for (const [name, example] of Object.entries(lists)) {
    const given: unknown = Reflect.get(options, name)
    if (given !== undefined && !Array.isArray(given)) throw new TypeError(`${name}: give a list such as ${example}`)
  }
}

const checkToken = (name: "metricsToken" | "storageEvents.token", token: unknown): void => {
  const text = secretValue(token)
  if (typeof text !== "string") throw new TypeError(`${name}: give a text, or Redacted.make(text) of effect`)
  // Without this a request without a token would have the right one.
  if (text.trim() === "") throw new TypeError(`${name}: the text is empty; leave the option out to have no token`)
}

const checkStorageEvents = ({ storageEvents }: HttpOptions): void => {
  if (storageEvents === undefined) return
  if (typeof storageEvents?.read !== "function") {
    throw new TypeError("storageEvents: give { token, read }, where read is a function from a body to paths")
  }
  checkToken("storageEvents.token", storageEvents.token)
}

const known: Readonly<Record<keyof HttpOptions | "catchAll", true>> = {
  prefix: true,
  publicPath: true,
  secondPrefix: true,
  endpoints: true,
  notFound: true,
  storage: true,
  storageEvents: true,
  home: true,
  authenticate: true,
  rateLimitPerMinute: true,
  trustedProxies: true,
  clientAddress: true,
  requestOrigin: true,
  corsOrigins: true,
  compression: true,
  metricsToken: true,
  healthChecks: true,
  onRequest: true,
  unreadTimeoutSeconds: true,
  isShuttingDown: true,
  catchAll: true
}

const checkNames = (options: HttpOptions): void => {
  for (const name of Object.keys(options)) {
    if (!(name in known)) throw new TypeError(`${name}: no such option; there are ${Object.keys(known).join(", ")}`)
  }
}

const checkSeconds = (seconds: unknown): void => {
  if (seconds === undefined || (typeof seconds === "number" && seconds > 0 && Number.isFinite(seconds))) return
  throw new TypeError(`unreadTimeoutSeconds: ${shown(seconds)} is no number of seconds above 0, such as 30`)
}

/** Throws a TypeError that names the first wrong option. */
export const checkOptions = (options: HttpOptions): void => {
  if (typeof options !== "object" || options === null) throw new TypeError("options: give an object, or leave them out")
  checkNames(options)
  // An empty prefix is allowed: no path.
  if (options.prefix?.length !== 0) checkPath("prefix", options.prefix)
  checkPath("publicPath", options.publicPath)
  checkPath("secondPrefix", options.secondPrefix)
  checkFunctions(options)
  checkFlags(options)
  checkLists(options)
  if (options.metricsToken !== undefined) checkToken("metricsToken", options.metricsToken)
  checkStorageEvents(options)
  checkSeconds(options.unreadTimeoutSeconds)
  corsOf(options.corsOrigins)
  clientAddressOf(options)
  isLimited(options.rateLimitPerMinute)
}
