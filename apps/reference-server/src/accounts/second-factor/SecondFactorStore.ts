/**
 * Second factors. Switching one on or off counts as a change of the password: a login that is under way with the old
 * state creates no session.
 */
import type { OrganisationId, Records, RepositoryError, UserId } from "@solar-sites/core"
import { Context, Effect, Layer, Option } from "effect"
import { makeCommands } from "../Commands.ts"
import type { Role } from "../people/Role.ts"
import type { User } from "../people/User.ts"
import { factorKind } from "./FactorKind.ts"
import {
  beginFactor,
  disableFactor,
  type EnabledFactor,
  enableFactor,
  type FactorChange,
  type FactorOwner,
  factorState,
  findsOfFactor,
  findsOfState,
  findsOfSwitch,
  renewRecoveryCodes,
  type StoredFactor,
  useRecoveryCode,
  useStep
} from "./FactorRules.ts"

type Outcome = Effect.Effect<boolean, RepositoryError>

/** Changes return false when they change nothing. */
export class SecondFactorStore extends Context.Service<
  SecondFactorStore,
  {
    /** None for an unknown user. */
    readonly find: (owner: FactorOwner) => Effect.Effect<Option.Option<StoredFactor>, RepositoryError>
    /** The users with an active factor. */
    readonly enabledIn: (organisationId: OrganisationId) => Effect.Effect<ReadonlySet<UserId>, RepositoryError>
    /** Stores a secret that is not active yet, in place of an earlier one. False with an active factor. */
    readonly begin: (owner: FactorOwner, secret: string) => Outcome
    /** False when the secret has been replaced or is active already. */
    readonly enable: (owner: FactorOwner, factor: EnabledFactor) => Outcome
    /** None without an active factor, and for a user with none of `roles` (default: all). */
    readonly disable: (
      owner: FactorOwner,
      change: FactorChange & { readonly roles?: ReadonlyArray<Role> }
    ) => Effect.Effect<Option.Option<User>, RepositoryError>
    /** False for a step that is not after the last used one: of two concurrent uses one succeeds. */
    readonly useStep: (owner: FactorOwner, step: number) => Outcome
    /** False for an unknown or used code. */
    readonly useRecoveryCode: (owner: FactorOwner, digest: string) => Outcome
    readonly renewRecoveryCodes: (owner: FactorOwner, digests: ReadonlyArray<string>) => Outcome
  }
>()("@solar-sites/reference-server/SecondFactorStore") {
  static readonly layer: Layer.Layer<SecondFactorStore, never, Records> = Layer.effect(
    SecondFactorStore,
    Effect.gen(function* () {
      const { decide, load } = yield* makeCommands

      const ofOwner = (operation: string, { id, organisationId }: FactorOwner) => ({
        operation: `SecondFactorStore.${operation}`,
        organisationId,
        of: { kind: factorKind, id },
        finds: findsOfFactor(id)
      })
      const ofSwitch = (operation: string, owner: FactorOwner) => ({
        ...ofOwner(operation, owner),
        finds: findsOfSwitch(owner.id)
      })

      return SecondFactorStore.of({
        find: (owner) =>
          Effect.map(
            load("SecondFactorStore.find", owner.organisationId, findsOfState(owner.id, owner.organisationId)),
            (found) => Option.fromNullOr(factorState(found, owner))
          ),
        enabledIn: Effect.fnUntraced(function* (organisationId) {
          const finds = [{ kind: factorKind, by: "organisationId", values: [organisationId] }]
          const found = yield* load("SecondFactorStore.enabledIn", organisationId, finds)
          const all = found.all(factorKind, "organisationId", organisationId)
          return new Set(all.flatMap(({ record: { enabledAt, id } }) => (enabledAt === null ? [] : [id])))
        }),
        begin: (owner, secret) => decide({ ...ofOwner("begin", owner), rule: beginFactor(owner, secret) }),
        enable: (owner, factor) => decide({ ...ofSwitch("enable", owner), rule: enableFactor(owner.id, factor) }),
        disable: (owner, { keptSession, roles }) =>
          Effect.map(
            decide({ ...ofSwitch("disable", owner), rule: disableFactor(owner.id, keptSession, roles) }),
            Option.fromNullOr
          ),
        useStep: (owner, step) => decide({ ...ofOwner("useStep", owner), rule: useStep(owner.id, step) }),
        useRecoveryCode: (owner, digest) =>
          decide({ ...ofOwner("useRecoveryCode", owner), rule: useRecoveryCode(owner.id, digest) }),
        renewRecoveryCodes: (owner, digests) =>
          decide({ ...ofOwner("renewRecoveryCodes", owner), rule: renewRecoveryCodes(owner.id, digests) })
      })
    })
  )
}
