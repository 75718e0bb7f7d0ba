/**
 * Removes all records of an organisation through their ports, one record at a time. Each step is
 * small, and a repeated run continues where the last one ended.
 */
import { DateTime, Effect, Layer } from "effect"
import { apiKeyRecords } from "./api-keys/ApiKeyRecords.ts"
import type { ApiKeyId } from "./caller/Caller.ts"
import { IdempotencyStore } from "./caller/IdempotencyStore.ts"
import type { PortfolioId } from "./caller/PortfolioId.ts"
import type { DocumentId } from "./documents/Document.ts"
import { documentRecords } from "./documents/DocumentRecords.ts"
import { DocumentRepository } from "./documents/DocumentRepository.ts"
import { EventRepository } from "./events/EventRepository.ts"
import type { Page, PageRequest } from "./lists/Page.ts"
import { OrganisationContents } from "./operators/OrganisationContents.ts"
import type { OrganisationId } from "./organisations/Organisation.ts"
import { portfolioRecords } from "./portfolios/PortfolioRecords.ts"
import { PortfolioRepository } from "./portfolios/PortfolioRepository.ts"
import type { Records } from "./records/Records.ts"
import type { RepositoryError } from "./repositories/RepositoryError.ts"
import type { SiteId } from "./sites/Site.ts"
import { siteRecords } from "./sites/SiteRecords.ts"
import { SiteRepository } from "./sites/SiteRepository.ts"
import type { WebhookId } from "./webhooks/Webhook.ts"
import { webhookRecords } from "./webhooks/WebhookRecords.ts"

const pageSize = 500
const concurrency = 8

/** Removes all items of a list. An item removed by a concurrent run does not count. */
const removeAll = Effect.fnUntraced(function* <Id extends string, Refusal extends { readonly _tag: string }>(
  list: (page: PageRequest<Id>) => Effect.Effect<Page<{ readonly id: Id }>, RepositoryError>,
  remove: (id: Id) => Effect.Effect<unknown, Refusal | RepositoryError>
): Effect.fn.Return<number, RepositoryError> {
  let removed = 0
  let after: Id | null = null
  while (true) {
    const page: Page<{ readonly id: Id }> = yield* list({ after, limit: pageSize })
    const counts = yield* Effect.forEach(
      page.items,
      ({ id }) =>
        Effect.matchEffect(remove(id), {
          onSuccess: () => Effect.succeed(1),
          onFailure: (failure) => (isFailed(failure) ? Effect.fail(failure) : Effect.succeed(0))
        }),
      { concurrency }
    )
    removed += counts.reduce((sum, count) => sum + count, 0)
    after = page.items.at(-1)?.id ?? null
    if (!page.hasMore || after === null) return removed
  }
})

const isFailed = (failure: { readonly _tag: string }): failure is RepositoryError => failure._tag === "RepositoryError"

export const layer: Layer.Layer<
  OrganisationContents,
  never,
  Records | DocumentRepository | EventRepository | IdempotencyStore | PortfolioRepository | SiteRepository
> = Layer.effect(
  OrganisationContents,
  Effect.gen(function* () {
    const apiKeys = yield* apiKeyRecords
    const documents = yield* DocumentRepository
    const documentCommands = yield* documentRecords
    const events = yield* EventRepository
    const idempotency = yield* IdempotencyStore
    const portfolios = yield* PortfolioRepository
    const portfolioCommands = yield* portfolioRecords
    const sites = yield* SiteRepository
    const siteCommands = yield* siteRecords
    const webhooks = yield* webhookRecords

    const remove = Effect.fnUntraced(function* (organisationId: OrganisationId) {
      const at = yield* DateTime.now
      // Idempotency keys expire after one day, so all have expired at this instant.
      const purge = { now: DateTime.add(at, { days: 2 }), limit: pageSize, maximumBytes: 0 }
      yield* idempotency.purge(organisationId, purge).pipe(Effect.repeat({ while: (removed) => removed === pageSize }))
      // First, so that the removals below are not sent.
      yield* removeAll(
        (page: PageRequest<WebhookId>) => webhooks.list(organisationId, page),
        (id: WebhookId) => webhooks.delete(organisationId, id, { at })
      )
      return {
        apiKeys: yield* removeAll(
          (page: PageRequest<ApiKeyId>) => apiKeys.list(organisationId, page),
          (id: ApiKeyId) => apiKeys.delete(organisationId, id)
        ),
        // Before the sites: deleting a site deletes all its documents in one step, however many
        // there are.
        documents: yield* removeAll(
          (page: PageRequest<DocumentId>) => documents.list(organisationId, {}, page),
          (id: DocumentId) => documentCommands.delete(organisationId, id, { at })
        ),
        sites: yield* removeAll(
          (page: PageRequest<SiteId>) => sites.list(organisationId, {}, page),
          (id: SiteId) => siteCommands.delete(organisationId, id)
        ),
        portfolios: yield* removeAll(
          (page: PageRequest<PortfolioId>) => portfolios.list(organisationId, {}, page),
          (id: PortfolioId) => portfolioCommands.delete(organisationId, id, { at })
        )
      }
    })

    const removeEvents = (organisationId: OrganisationId) =>
      Effect.asVoid(
        Effect.repeat(events.deleteAll(organisationId, { limit: pageSize }), {
          while: (removed) => removed === pageSize
        })
      )

    return OrganisationContents.of({ remove, removeEvents })
  })
)
