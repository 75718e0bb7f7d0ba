/** Loaded before everything else: lets the driver at `POSTGRES_DRIVER` stand in for the installed one. */
import { registerHooks } from "node:module"

const { POSTGRES_DRIVER: driver } = process.env

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "postgres" && driver !== undefined ? { url: driver, shortCircuit: true } : next(specifier, context)
})
