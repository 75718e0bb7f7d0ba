/**
 * Services of the operator: organisations, API keys and the passwords of users. They need no
 * storage and start no background work.
 */
import type { PgClient, PgPorts } from "@solar-sites/adapter-postgres"
import {
  type AccessChanges,
  ApiKeyAuthenticator,
  ApiKeys,
  ApiKeyUsage,
  OrganisationRemoval,
  Organisations
} from "@solar-sites/core"
import { Layer } from "effect"
import { PasswordHasher } from "./accounts/login/PasswordHasher.ts"

export const layer: Layer.Layer<Organisations | ApiKeys | PasswordHasher, never, PgPorts | AccessChanges | PgClient> =
  Layer.mergeAll(
    Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer)),
    ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer)),
    PasswordHasher.layer
  )
