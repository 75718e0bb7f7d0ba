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
import { LoginDomains } from "./accounts/LoginDomains.ts"
import { PasswordHasher } from "./accounts/PasswordHasher.ts"
import { SecondFactorReset } from "./accounts/SecondFactorReset.ts"
import { SecondFactorStore } from "./accounts/SecondFactorStore.ts"
import { UserChanges } from "./accounts/UserChanges.ts"
import { UserLinkStore } from "./accounts/UserLinkStore.ts"
import { UserLinks } from "./accounts/UserLinks.ts"
import { UserStore } from "./accounts/UserStore.ts"
import { Users } from "./accounts/Users.ts"

export const layer: Layer.Layer<
  | Organisations
  | ApiKeys
  | LoginDomains
  | Users
  | UserChanges
  | UserLinks
  | UserStore
  | SecondFactorReset
  | SecondFactorStore,
  never,
  PgPorts | AccessChanges | PgClient
> = Layer.mergeAll(
  Organisations.layer.pipe(Layer.provide(OrganisationRemoval.layer)),
  ApiKeys.layer.pipe(Layer.provide(ApiKeyAuthenticator.layer), Layer.provide(ApiKeyUsage.layer)),
  LoginDomains.layer,
  UserLinks.layer.pipe(Layer.provide(Layer.merge(UserLinkStore.layer, PasswordHasher.layer))),
  Users.layer.pipe(
    Layer.provide(PasswordHasher.layer),
    Layer.provideMerge(UserStore.layer),
    Layer.provideMerge(UserChanges.layer),
    Layer.provideMerge(SecondFactorReset.layer),
    Layer.provideMerge(SecondFactorStore.layer)
  )
)
