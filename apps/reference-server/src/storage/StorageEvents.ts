/** Notifications of the bucket about files that have arrived, taken at `/storage-events`. */
import type { HttpOptions } from "@solar-sites/http-node"
import { Effect, Option } from "effect"
import type { Settings } from "../configuration/Settings.ts"

/** Undefined without a token. Files of a folder need no notification; with one they are inspected once more. */
export const storageEventsOf = ({
  s3,
  storageEventsToken
}: Pick<Settings, "s3" | "storageEventsToken">): Effect.Effect<HttpOptions["storageEvents"]> =>
  Option.match(storageEventsToken, {
    onNone: () => Effect.undefined,
    // Loaded on demand, as the storage is.
    onSome: (token) =>
      Effect.map(
        Effect.promise(() => import("@solar-sites/adapter-s3/notifications")),
        ({ notificationReader }) => ({ token, read: notificationReader({ bucket: Option.getOrUndefined(s3.bucket) }) })
      )
  })
