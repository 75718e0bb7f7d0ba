/**
 * Finds the endpoint of a path. Each path has one spelling: another case, doubled slashes, dots or
 * escapes are another path, which does not exist. An id behind a key is any segment, so that no
 * spelling of it is answered before the key is checked.
 */

/** One method at one path such as `/api/sites/:id`. */
export interface Route {
  readonly method: string
  readonly path: string
  /** True behind a key, where the parameters of the path are ids and are checked after the key. */
  readonly requiresCaller: boolean
}

/** The pattern of the path as in OpenAPI (`/api/sites/{id}`), its methods, and the parameters of the path. */
export interface Located<R extends Route> {
  readonly path: string
  readonly methods: ReadonlyMap<string, R>
  readonly params: Readonly<Record<string, string>>
}

interface Pattern<R extends Route> {
  readonly path: string
  readonly expression: RegExp
  readonly isSegment: (value: string) => boolean
  readonly methods: ReadonlyMap<string, R>
}

const none: Readonly<Record<string, string>> = {}

// Clients resolve these segments themselves.
const isDots = (value: string): boolean => /^(?:\.|%2e){1,2}$/i.test(value)

// Slash, backslash, dot and NUL, escaped or not, and path parameters: handlers could read these as another path.
const ambiguous = /%(?:2f|5c|2e|00)|[;#\\\0]/i

const isPlain = (value: string): boolean => !isDots(value) && !ambiguous.test(value)
const isId = (value: string): boolean => !isDots(value)

const expressionOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`)

const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}")

const byPath = <R extends Route>(routes: ReadonlyArray<R>): ReadonlyMap<string, ReadonlyMap<string, R>> =>
  new Map(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => [
      path,
      new Map(group.map((route) => [route.method, route]))
    ])
  )

/** A look-up over all routes; `undefined` for an unknown path. */
export const router = <R extends Route>(routes: ReadonlyArray<R>): ((path: string) => Located<R> | undefined) => {
  const paths = byPath(routes)
  const patterns: ReadonlyArray<Pattern<R>> = [...paths]
    .filter(([path]) => path.includes(":"))
    .map(([path, methods]) => ({
      path: templateOf(path),
      expression: expressionOf(path),
      isSegment: [...methods.values()].every(({ requiresCaller }) => requiresCaller) ? isId : isPlain,
      methods
    }))
  return (sought) => {
    const fixed = paths.get(sought)
    if (fixed !== undefined && !sought.includes(":")) return { path: sought, methods: fixed, params: none }
    for (const { expression, isSegment, methods, path } of patterns) {
      const params = expression.exec(sought)?.groups
      if (params !== undefined) return Object.values(params).every(isSegment) ? { path, methods, params } : undefined
    }
    return undefined
  }
}

/** The value of the header `Allow`. HEAD is served wherever GET is, OPTIONS everywhere. */
export const allow = (methods: ReadonlyMap<string, unknown>): string =>
  [...methods.keys()]
    .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
    .concat("OPTIONS")
    .join(", ")
