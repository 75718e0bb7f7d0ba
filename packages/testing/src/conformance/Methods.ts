/**
 * Commands and lists of a resource together, over the ports of an adapter.
 */
import {
  type DocumentCommands,
  DocumentRepository,
  documentRecords,
  type Records,
  type SiteCommands,
  SiteRepository,
  siteRecords
} from "@solar-sites/core"
import { Effect } from "effect"

/**
 * @category setup
 * @since 0.1.0
 */
export const siteMethods: Effect.Effect<SiteCommands & SiteRepository["Service"], never, Records | SiteRepository> =
  Effect.gen(function* () {
    return { ...(yield* siteRecords), ...(yield* SiteRepository) }
  })

/**
 * @category setup
 * @since 0.1.0
 */
export const documentMethods: Effect.Effect<
  DocumentCommands & DocumentRepository["Service"],
  never,
  Records | DocumentRepository
> = Effect.gen(function* () {
  return { ...(yield* documentRecords), ...(yield* DocumentRepository) }
})
