/**
 * Organisations of hosts that have their own. The host's are authoritative; the adapters
 * mirror an organisation when data is first stored for it.
 */

import { Context, Effect, Layer, Option } from "effect"
import type { ApiKeyAccess } from "./api-keys/ApiKey.ts"
import { ApiKeyStore } from "./api-keys/ApiKeyStore.ts"
import { reachParts } from "./caller/Reach.ts"
import { OrganisationRepository } from "./operators/OrganisationRepository.ts"
import type { OrganisationId } from "./organisations/Organisation.ts"
import { OrganisationNotFound } from "./organisations/OrganisationErrors.ts"
import { organisationReference } from "./records/OrganisationReference.ts"
import { Records } from "./records/Records.ts"
import type { RepositoryError } from "./repositories/RepositoryError.ts"
import { SiteRepository } from "./sites/SiteRepository.ts"

type Affected = OrganisationRepository | Records | SiteRepository | ApiKeyStore

type Repository = OrganisationRepository["Service"]

/** Inserts an organisation of the host into the mirror. A concurrent insert counts as success. */
const mirroring = (host: Repository, adapters: Repository) =>
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
 * Puts the organisations of the host in front of the adapters. Those of the adapters
 * become a mirror: one row per organisation, which keys and references point to. Name
 * and status are always those of the host.
 *
 * The host is asked on every look-up of an API key, so a key of an inactive or absent
 * organisation opens nothing. A key is cached for up to 10 seconds. A host that changes a
 * status without `Organisations.update` publishes it by `AccessChanges`, or waits for that.
 */
export const layer = <E, R>(
  organisations: Layer.Layer<OrganisationRepository, E, R>
): Layer.Layer<Affected, E, R | Affected> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const host = Context.get(yield* Layer.build(organisations), OrganisationRepository)
      const mirror = yield* OrganisationRepository
      const mirrorMissing = mirroring(host, mirror)
      const records = yield* Records
      const sites = yield* SiteRepository
      const apiKeys = yield* ApiKeyStore

      /** Repeats a step that did not find its organisation, and changed nothing, once that is mirrored. */
      const repeatedWithMirror = <A>(
        organisationId: OrganisationId,
        step: Effect.Effect<A, RepositoryError>,
        isMissing: (found: A) => boolean
      ): Effect.Effect<A, RepositoryError> =>
        Effect.flatMap(step, (found) =>
          isMissing(found)
            ? mirrorMissing(new OrganisationNotFound({ organisationId })).pipe(
                Effect.andThen(step),
                Effect.catchTag("OrganisationNotFound", () => Effect.succeed(found))
              )
            : Effect.succeed(found)
        )

      const load: Records["Service"]["load"] = (operation, organisationId, finds, options) => {
        const isLookedFor = finds.some(({ kind }) => kind.name === organisationReference.name)
        return repeatedWithMirror(
          organisationId,
          records.load(operation, organisationId, finds, options),
          (found) => isLookedFor && found.byId(organisationReference, organisationId) === null
        )
      }

      const withHost = Effect.fnUntraced(function* (found: Option.Option<ApiKeyAccess>) {
        if (Option.isNone(found)) return found
        const { apiKey } = found.value
        const organisation = yield* host.findById(apiKey.organisationId)
        return Option.some({ apiKey, organisation: Option.getOrNull(organisation) })
      })

      return Context.make(OrganisationRepository, {
        ...host,
        // The host first, so that no insert mirrors the organisation again.
        delete: (organisationId) =>
          Effect.flatMap(host.delete(organisationId), (deleted) =>
            deleted ? mirror.delete(organisationId) : Effect.succeed(false)
          )
      }).pipe(
        Context.add(Records, { ...records, load }),
        Context.add(SiteRepository, {
          ...sites,
          saveMany: (reach, ...saves) =>
            repeatedWithMirror(
              reachParts(reach).organisationId,
              sites.saveMany(reach, ...saves),
              ({ organisationFound }) => !organisationFound
            )
        }),
        Context.add(ApiKeyStore, {
          ...apiKeys,
          findAcrossOrganisations: (key) => Effect.flatMap(apiKeys.findAcrossOrganisations(key), withHost),
          findAccess: (...key) => Effect.flatMap(apiKeys.findAccess(...key), withHost)
        })
      )
    })
  )
