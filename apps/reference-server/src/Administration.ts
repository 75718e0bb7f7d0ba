/**
 * Services of the operator: organisations, API keys and users. They need no
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
import { UserLinks } from "./accounts/login/UserLinks.ts"
import { Users } from "./accounts/people/Users.ts"

export const layer: Layer.Layer<
  Organisations | ApiKeys | Users | UserLinks,
  never,
  PgPorts | AccessChanges | PgClient
> = Layer.mergeAll(
  Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer)),
  ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer)),
  Layer.merge(UserLinks.layer, Users.layer).pipe(Layer.provide(PasswordHasher.layer))
)
