/**
 * Commands about the list of requirements: `load → rule → commit`.
 */
import { Effect } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import type { OrganisationId } from "../organisations/Organisation.ts"
import type { OrganisationNotFound } from "../organisations/OrganisationErrors.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { Records } from "../records/Records.ts"
import type { RepositoryError } from "../repositories/RepositoryError.ts"
import type { PortfoliosNotFound } from "../sites/PortfolioReference.ts"
import type { ChangeOptions, VersionMismatch } from "../versions/Version.ts"
import type { DocumentRequirement, DocumentRequirements } from "./Requirement.ts"
import { requirementListKind } from "./RequirementKind.ts"
import { findsOfList, findsOfReplacement, foundList, replaceRequirements } from "./RequirementRules.ts"

/** Commands about the list of requirements of an organisation. */
export interface RequirementCommands {
  /** An empty list of version 0 where nothing is stored. */
  readonly find: (organisationId: OrganisationId) => Effect.Effect<DocumentRequirements, RepositoryError>

  /**
   * Replaces the whole list and increments its version; changes nothing when the list is equal, its order
   * included. `requirements` contain no duplicates. `PortfoliosNotFound` names each missing portfolio once, in
   * their order. Refuses in the order of the error channel.
   */
  readonly replace: (
    organisationId: OrganisationId,
    requirements: ReadonlyArray<DocumentRequirement>,
    options: ChangeOptions
  ) => Effect.Effect<
    DocumentRequirements,
    PortfoliosNotFound | VersionMismatch | OrganisationNotFound | RepositoryError
  >
}

export const requirementListRecords: Effect.Effect<RequirementCommands, never, Records> = Effect.gen(function* () {
  const records = yield* Records
  const originOf = yield* eventOrigins
  const deciding = makeDeciding(records)

  return {
    find: (organisationId) =>
      Effect.map(records.load("RequirementRepository.find", organisationId, findsOfList(organisationId)), (found) =>
        foundList(found, organisationId)
      ),

    replace: (organisationId, requirements, options) =>
      Effect.flatMap(originOf(organisationId), (origin) => {
        const command = { organisationId, requirements, ...options }
        return deciding.update(requirementListKind, organisationId, {
          operation: "RequirementRepository.replace",
          organisationId,
          finds: findsOfReplacement(command),
          rule: replaceRequirements(command, origin)
        })
      })
  }
})
