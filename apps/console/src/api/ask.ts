/**
 * Requests to the console's own endpoints. Their types are those of the server's contract, of which
 * nothing is loaded.
 */
import type { ConsoleOperations } from "../../../reference-server/src/console/contract/ConsoleApi.ts"
import { exchange } from "./exchange.ts"

/** Method and path of an endpoint, such as `GET /console/api-keys`. */
type Line = keyof ConsoleOperations

/** Answer of an endpoint. */
export type Answer<L extends Line> = ConsoleOperations[L]["output"]

interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly payload?: unknown
}

type Input<L extends Line> = unknown extends ConsoleOperations[L]["input"]
  ? [input?: Parts]
  : [input: ConsoleOperations[L]["input"] & Parts]

export const ask = <L extends Line>(line: L, ...input: Input<L>): Promise<Answer<L>> => {
  const [{ params = {}, payload, query = {} } = {}]: [input?: Parts] = input
  const [method = "", pattern = ""] = line.split(" ")
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
  )
  const address = search.size === 0 ? path : `${path}?${search}`
  return exchange({ method, path: address, ...(payload === undefined ? {} : { body: payload }) })
}
