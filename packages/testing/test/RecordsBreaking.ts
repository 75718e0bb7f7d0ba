/**
 * Parts of `Records` that are broken on purpose.
 */
import { type AnyKind, type Change, type OrganisationId, Records, Stale, type Write } from "@solar-sites/core"
import { recordsConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { type Breakage, notices } from "./breaking.ts"

type Service = Records["Service"]

/** Expects that `recordsConformance` notices each of these adapters. */
export const noticesRecords = (breakages: ReadonlyArray<Breakage<Service>>): void =>
  notices(recordsConformance, Records, breakages)

/** Commits another change than the given one. */
export const changing =
  (edit: (change: Change) => Change) =>
  ({ commit }: Service): Partial<Service> => ({
    commit: (operation, organisationId, change) => commit(operation, organisationId, edit(change))
  })

/** Commits writes of other records than the given ones. */
export const writing = (edit: (after: object, write: Write, change: Change) => object) =>
  changing((change) => ({
    ...change,
    writes: change.writes.map((write) => {
      if (write.after === null) return write
      const { after, before, id, kind } = write
      const edited = Object.assign(Object.create(Object.getPrototypeOf(after)), edit(after, write, change))
      return { before, id, kind, after: edited }
    })
  }))

/** Commits writes as if their kinds were declared in another way. */
export const declaring = (edit: (kind: AnyKind, write: Write) => Partial<AnyKind>) =>
  changing((change) => ({
    ...change,
    writes: change.writes.map((write) => ({ ...write, kind: { ...write.kind, ...edit(write.kind, write) } }))
  }))

/** Looks whether there is an obstacle, lets other calls run, and commits the change without looking again. */
export const lookingBefore =
  (
    isStale: (service: Service, organisationId: OrganisationId, change: Change) => Effect.Effect<Stale | null, unknown>,
    edit: (change: Change) => Change
  ) =>
  (service: Service): Partial<Service> => ({
    commit: (operation, organisationId, change) =>
      Effect.gen(function* () {
        const stale = yield* Effect.orDie(isStale(service, organisationId, change))
        yield* Effect.yieldNow
        return stale ?? (yield* service.commit(operation, organisationId, edit(change)))
      })
  })

/** What a commit answers, changed. */
export const answering =
  (edit: (outcome: Effect.Success<ReturnType<Service["commit"]>>, change: Change) => typeof outcome) =>
  ({ commit }: Service): Partial<Service> => ({
    commit: (operation, organisationId, change) =>
      Effect.map(commit(operation, organisationId, change), (outcome) => edit(outcome, change))
  })

export const staleBy = (conflict: string): Stale => new Stale({ conflict })
