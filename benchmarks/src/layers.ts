/** The layers of a request, by the innermost frame of this repository or of its driver in a sample of a CPU profile. */

/** The first row that matches the path of a module names its layer. */
const layers: ReadonlyArray<readonly [layer: string, path: RegExp]> = [
  ["sending: responses to the socket", /http-node\/src\/node\/(ResponseBatching|Chunking|KernelQueues)/],
  [
    "serialisation: JSON, CSV, compression",
    /http-node\/src\/pipeline\/(JsonText|Reply|Compress|ContentCoding)|handlers\/(List|Csv)/
  ],
  ["parsing: body, query, schema", /http-node\/src\/pipeline\/(Decode|JsonBody|NodeBody)|core\/src\/input\//],
  [
    "key: digest, look-up, use",
    /core\/src\/api-keys\/|http-node\/src\/pipeline\/(Authenticate|BearerToken|FailedAuth)/
  ],
  ["limiter: rate, load", /RateLimit|LoadShedding|FailureLimit|core\/src\/caller\/RateLimiter/],
  ["log and metrics", /reference-server\/src\/Logs|http-node\/src\/pipeline\/(RequestObserver|Tracing)|Metric/],
  ["pipeline: route, origin, answer", /http-node\/src\//],
  ["rules: core", /packages\/core\/src\//],
  ["adapter: parameters, statements, decoding", /packages\/adapter-postgres\/src\//],
  ["application: server, console", /apps\//],
  ["driver: postgres.js", /node_modules\/postgres\//],
  ["Node: HTTP, streams, timers", /^node:/]
]

const unknown = "native code without a caller of these"

interface Node {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: ReadonlyArray<number>
}

const layerOf = (url: string): string | undefined => layers.find(([, path]) => path.test(url))?.[0]

const isOwn = (url: string): boolean =>
  url.includes("/node_modules/postgres/") ||
  (/\/(packages|apps|benchmarks)\//.test(url) && !url.includes("/node_modules/"))

/**
 * The layer of each node. A frame of Effect or of Node belongs to the layer that has called it, if there is one on its
 * stack.
 */
export const layersOf = (nodes: ReadonlyArray<Node>): ReadonlyMap<number, string> => {
  const parents = new Map(nodes.flatMap(({ children = [], id }) => children.map((child) => [child, id] as const)))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const found = new Map<number, string>()
  for (const { callFrame, id } of nodes) {
    if (callFrame.functionName === "(garbage collector)") {
      found.set(id, "garbage collection")
      continue
    }
    const stack: Array<Node> = []
    for (let at = byId.get(id); at !== undefined; at = byId.get(parents.get(at.id) ?? -1)) stack.push(at)
    const own = stack.find((node) => isOwn(node.callFrame.url))
    const other = stack.map((node) => layerOf(node.callFrame.url)).find((layer) => layer !== undefined)
    found.set(id, (own && layerOf(own.callFrame.url)) ?? other ?? unknown)
  }
  return found
}
