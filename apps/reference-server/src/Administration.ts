/**
 * The services an operator works with: organisations and their keys. They need
 * no storage, and nothing runs beside them.
 *
 * @since 0.1.0
 */
import {
  type AccessChanges,
  ApiKeyAuthenticator,
  type ApiKeyStore,
  ApiKeys,
  ApiKeyUsage,
  type OrganisationRepository,
  Organisations
} from "@solar-sites/core"
import { Layer } from "effect"

/**
 * @category layers
 * @since 0.1.0
 */
export const layer: Layer.Layer<Organisations | ApiKeys, never, OrganisationRepository | ApiKeyStore | AccessChanges> =
  Layer.merge(
    Organisations.layer,
    ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer))
  )
