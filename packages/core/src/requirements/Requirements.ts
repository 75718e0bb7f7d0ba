/**
 * Rule service for required documents.
 */
import { Context, DateTime, Effect, Layer } from "effect"
import { type Guarded, guarded } from "../caller/AccessGuard.ts"
import { CurrentCaller } from "../caller/Caller.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import type { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import { fnWithSpan } from "../tracing/FnWithSpan.ts"
import { type ExpectedVersions, isExpected, VersionMismatch } from "../versions/Version.ts"
import type { DocumentRequirements, ReplaceRequirements } from "./Requirement.ts"
import { requirementOperations } from "./RequirementOperations.ts"
import { requirementListRecords } from "./RequirementRecords.ts"

/** Works in the organisation of the caller. */
export class Requirements extends Context.Service<
  Requirements,
  Guarded<{
    /** The list; empty and of version 0 until it is replaced for the first time. */
    readonly get: () => Effect.Effect<DocumentRequirements, RepositoryError, CurrentCaller>

    /** Replaces the whole list; an equal list changes nothing, the version included. */
    readonly replace: (
      input: ReplaceRequirements,
      expectedVersions?: ExpectedVersions
    ) => Effect.Effect<
      DocumentRequirements,
      OrganisationNotFound | PortfoliosNotFound | VersionMismatch | RepositoryError,
      CurrentCaller
    >
  }>
>()("@solar-sites/core/Requirements") {
  /** Requires `Records` of the application. */
  static readonly layer: Layer.Layer<Requirements, never, Records> = Layer.effect(
    Requirements,
    Effect.gen(function* () {
      const commands = yield* requirementListRecords

      const get = fnWithSpan("Requirements.get")(function* () {
        const { organisationId } = yield* CurrentCaller
        return yield* commands.find(organisationId)
      })

      const replace = fnWithSpan("Requirements.replace")(function* (
        { requirements }: ReplaceRequirements,
        expectedVersions?: ExpectedVersions
      ) {
        const { organisationId } = yield* CurrentCaller
        if (requirements !== undefined) {
          const at = yield* DateTime.now
          return yield* commands.replace(organisationId, requirements, { at, expectedVersions })
        }
        const stored = yield* commands.find(organisationId)
        if (!isExpected(expectedVersions, stored.version)) return yield* new VersionMismatch({ actual: stored.version })
        return stored
      })

      return Requirements.of(guarded(requirementOperations, { get, replace }))
    })
  )
}
