/**
 * Computes coverage of the tables `requirement`, `site` and `document`.
 */
import { RequirementRepository } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { PgClient } from "../PgClient.ts"
import { makeCoverage } from "./PgCoverage.ts"

export const layer: Layer.Layer<RequirementRepository, never, PgClient> = Layer.effect(
  RequirementRepository,
  Effect.map(PgClient, (client) => RequirementRepository.of(makeCoverage(client)))
)
