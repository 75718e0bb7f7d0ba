/**
 * For hosts with organisations of their own: theirs decide, and the adapters
 * learn of one when something is first stored for it.
 *
 * @since 0.1.0
 */
import { Context, Effect, Layer, Option } from "effect"
import type { ApiKeyAccess } from "./api-keys/ApiKey.ts"
import { ApiKeyStore } from "./api-keys/ApiKeyStore.ts"
import { OrganisationNotFound } from "./organisations/OrganisationErrors.ts"
import { OrganisationRepository } from "./organisations/OrganisationRepository.ts"
import type { RepositoryError } from "./persistence/RepositoryError.ts"
import { PortfolioRepository } from "./portfolios/PortfolioRepository.ts"
import { SiteRepository } from "./sites/SiteRepository.ts"

type Affected = OrganisationRepository | SiteRepository | PortfolioRepository | ApiKeyStore

type Repository = OrganisationRepository["Service"]

/**
 * Makes the adapters know an organisation that the host has. Others may do so at
 * the same time: that it is there is all that counts.
 */
const introducer = (host: Repository, adapters: Repository) =>
  Effect.fnUntraced(function* (refusal: OrganisationNotFound) {
    const found = yield* host.findById(refusal.organisationId)
    if (Option.isNone(found)) return yield* refusal
    yield* Effect.catch(adapters.insert(found.value), (failure) =>
      Effect.flatMap(adapters.findById(refusal.organisationId), (there) =>
        Option.isSome(there) ? Effect.void : Effect.fail(failure)
      )
    )
  })

/**
 * To be provided with the adapters, whose own organisations become a mirror of
 * the host's: what their keys and references rest on, written once per
 * organisation and never asked for a name or a status again.
 *
 * The host's are asked whenever an API key is looked up, so that a key opens
 * nothing whose organisation is inactive or gone; who changes a status without
 * `Organisations.update` has to publish it by `AccessChanges`, or waits for the
 * ten seconds that a key is remembered.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = <E, R>(
  organisations: Layer.Layer<OrganisationRepository, E, R>
): Layer.Layer<Affected, E, R | Affected> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const host = Context.get(yield* Layer.build(organisations), OrganisationRepository)
      const mirror = yield* OrganisationRepository
      const introduce = introducer(host, mirror)
      const sites = yield* SiteRepository
      const portfolios = yield* PortfolioRepository
      const apiKeys = yield* ApiKeyStore

      /** What was refused has changed nothing, so that it can be done again. */
      const introducing = <A, Refusal>(
        insert: Effect.Effect<A, Refusal | OrganisationNotFound | RepositoryError>
      ): Effect.Effect<A, Refusal | OrganisationNotFound | RepositoryError> =>
        Effect.catch(insert, (refusal) =>
          refusal instanceof OrganisationNotFound ? Effect.andThen(introduce(refusal), insert) : Effect.fail(refusal)
        )

      const withHost = Effect.fnUntraced(function* (found: Option.Option<ApiKeyAccess>) {
        if (Option.isNone(found)) return found
        const { apiKey } = found.value
        const organisation = yield* host.findById(apiKey.organisationId)
        return Option.some({ apiKey, organisation: Option.getOrNull(organisation) })
      })

      return Context.make(OrganisationRepository, {
        ...host,
        // The host's first, so that nothing makes the adapters know it again.
        delete: (organisationId) =>
          Effect.flatMap(host.delete(organisationId), (deleted) =>
            deleted ? mirror.delete(organisationId) : Effect.succeed(false)
          )
      }).pipe(
        Context.add(SiteRepository, { ...sites, insert: (...site) => introducing(sites.insert(...site)) }),
        Context.add(PortfolioRepository, {
          ...portfolios,
          insertMany: (...many) => introducing(portfolios.insertMany(...many))
        }),
        Context.add(ApiKeyStore, {
          ...apiKeys,
          findByDigest: (digest) => Effect.flatMap(apiKeys.findByDigest(digest), withHost),
          findAccess: (...key) => Effect.flatMap(apiKeys.findAccess(...key), withHost),
          insert: (...apiKey) => introducing(apiKeys.insert(...apiKey))
        })
      )
    })
  )
