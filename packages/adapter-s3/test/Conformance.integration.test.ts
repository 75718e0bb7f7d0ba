import { layer } from "@solar-sites/adapter-s3"
import { documentStorageConformance, runConformance, StorageClient } from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { aBucket, optionsFor, withoutS3 } from "./Setup.ts"

describe.skipIf(withoutS3)("s3", () => {
  const bucket = withoutS3 ? Promise.resolve("") : aBucket()
  const storage = Layer.unwrap(
    Effect.map(
      Effect.promise(() => bucket),
      (name) => layer(optionsFor(name))
    )
  )
  runConformance({ describe, it }, documentStorageConformance, {
    name: "s3",
    layer: Layer.merge(storage, StorageClient.layerFetch)
  })
})
