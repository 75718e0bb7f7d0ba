import {
  documentStorageConformance,
  documentStorageMaximumConformance,
  runConformance,
  StorageClient
} from "@solar-sites/testing"
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { served, temporaryFolder } from "./Serving.ts"

const folder = Layer.unwrap(Effect.map(temporaryFolder, (directory) => served({ directory })))

const adapter = { name: "folder", layer: Layer.merge(folder, StorageClient.layerFetch) }

runConformance({ describe, it }, documentStorageConformance, adapter)
runConformance({ describe, it }, documentStorageMaximumConformance, adapter)
