/**
 * Requests to the console's own endpoints. Their types are those of the server's contract, of which
 * nothing is loaded.
 */
import type { ConsoleOperations } from "../../../reference-server/src/console/contract/ConsoleApi.ts"
import { type Call, exchange, exchangeCsv } from "./exchange.ts"

/** Method and path of an endpoint, such as `GET /console/api-keys`. */
type Line = keyof ConsoleOperations

/** Answer of an endpoint. */
export type Answer<L extends Line> = ConsoleOperations[L]["output"]

interface Parts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | ReadonlyArray<string>>>
  readonly payload?: unknown
  /** Sent as it is, in place of a payload. */
  readonly file?: Blob
  readonly timeoutMillis?: number
}

type Input<L extends Line> = unknown extends ConsoleOperations[L]["input"]
  ? [input?: Parts]
  : [input: ConsoleOperations[L]["input"] & Parts]

const callOf = (line: Line, { params = {}, payload, query = {}, ...rest }: Parts = {}): Call => {
  const [method = "", pattern = ""] = line.split(" ")
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)])
    )
  )
  const address = search.size === 0 ? path : `${path}?${search}`
  return { method, path: address, ...rest, ...(payload === undefined ? {} : { body: payload }) }
}

export const ask = <L extends Line>(line: L, ...[input]: Input<L>): Promise<Answer<L>> => exchange(callOf(line, input))

/** The same of an endpoint that answers CSV. */
export const askCsv = <L extends Line>(line: L, ...[input]: Input<L>): Promise<Blob> => exchangeCsv(callOf(line, input))
