/**
 * Keeps requirements in the tables `requirement_list` and `requirement`.
 */
import { RequirementRepository, requirementListRecords } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import * as PgRecords from "../records/PgRecords.ts"
import { makeCoverage } from "./PgCoverage.ts"

export const layer: Layer.Layer<RequirementRepository, never, PgClient> = Layer.effect(
  RequirementRepository,
  Effect.gen(function* () {
    return RequirementRepository.of({ ...makeCoverage(yield* PgClient), ...(yield* requirementListRecords) })
  })
).pipe(Layer.provide(PgRecords.layer))
