/**
 * A collector for OTLP over HTTP that discards its input.
 */
import { createServer } from "node:http"
import { type Service, startHttp } from "./http.ts"

export const startCollector = (): Promise<Service> =>
  startHttp(
    createServer((request, response) => {
      request.resume()
      request.once("end", () => response.end())
    })
  )
