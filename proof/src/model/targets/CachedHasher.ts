/**
 * The hasher of passwords with a cache: sequences have few passwords, and a hash takes longer than
 * a request.
 */
import { Context, Effect, type Exit, Layer, Redacted, type Scope } from "effect"
import type { Password, PasswordRefused } from "../../../../apps/reference-server/src/accounts/login/Password.ts"
import { PasswordHasher } from "../../../../apps/reference-server/src/accounts/login/PasswordHasher.ts"

type Hasher = PasswordHasher["Service"]

/** One result per key. */
const cache = <A, E>() => {
  const results = new Map<string, Promise<Exit.Exit<A, E>>>()
  return (key: ReadonlyArray<string | null>, effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
    const name = JSON.stringify(key)
    const known = results.get(name) ?? Effect.runPromiseExit(effect)
    results.set(name, known)
    return Effect.flatten(Effect.promise(() => known))
  }
}

const textOf = (password: Password | undefined): string | null =>
  password === undefined ? null : Redacted.value(password)

const withCache = (hasher: Hasher): Hasher => {
  const hashes = cache<string, never>()
  const newHashes = cache<string, PasswordRefused>()
  const matches = cache<boolean, never>()
  return {
    ...hasher,
    hash: (password) => hashes([textOf(password)], hasher.hash(password)),
    // No password of a step holds a name.
    hashNew: (password, names) => newHashes([textOf(password)], hasher.hashNew(password, names)),
    verify: (hash, password) => matches([hash ?? null, textOf(password)], hasher.verify(hash, password))
  }
}

/** Layers that are built with this context use the hasher with the cache. */
export const cachedHasher = async (scope: Scope.Scope): Promise<Context.Context<Layer.CurrentMemoMap>> => {
  const built = await Effect.runPromise(Layer.buildWithScope(PasswordHasher.layer, scope))
  const hasher = Context.make(PasswordHasher, withCache(Context.get(built, PasswordHasher)))
  const memoMap = Layer.makeMemoMapUnsafe()
  await Effect.runPromise(memoMap.getOrElseMemoize(PasswordHasher.layer, scope, () => Effect.succeed(hasher)))
  return Context.make(Layer.CurrentMemoMap, memoMap)
}
