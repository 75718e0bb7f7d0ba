import { registerHooks } from "node:module"

/** Until it is disposed, imports of modules with this end fail, as with too many open files. */
export const failImportsOf = (end: string): Disposable => {
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.endsWith(end)) throw new Error("EMFILE")
      return next(specifier, context)
    }
  })
  return { [Symbol.dispose]: () => hooks.deregister() }
}
