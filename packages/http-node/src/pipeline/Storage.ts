/**
 * The files of a storage that has no server of its own, beside the API: same
 * prefix, no key, no limit, and none of our headers.
 */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { App } from "../App.ts"
import type { HttpOptions } from "../Options.ts"
import { beforeReading } from "./JsonBody.ts"

const askForBody = (source: object) => beforeReading.get(source)?.()

/** The application, and the storage of the host for paths under `/storage`. */
export const besideStorage = ({ prefix, storage }: HttpOptions, app: App): App => {
  if (storage === undefined) return app
  const base = `${prefix ?? ""}/storage/`
  const files = Effect.interruptible(storage({ beforeReading: askForBody }))
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => (url.startsWith(base) ? files : app))
}
