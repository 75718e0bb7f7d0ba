/**
 * The methods of `RequirementRepository` that rules decide, over any store of records.
 */
import { Effect } from "effect"
import { eventOrigins } from "../events/EventOrigin.ts"
import { makeDeciding } from "../records/Deciding.ts"
import { Records } from "../records/Records.ts"
import { requirementListKind } from "./RequirementKind.ts"
import type { RequirementRepository } from "./RequirementRepository.ts"
import { findsOfList, findsOfReplacement, foundList, replaceRequirements } from "./RequirementRules.ts"

/**
 * @category constructors
 * @since 0.1.0
 */
export const requirementListRecords: Effect.Effect<
  Pick<RequirementRepository["Service"], "find" | "replace">,
  never,
  Records
> = Effect.gen(function* () {
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
