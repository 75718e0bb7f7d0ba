/** What the tests of a file or of a `describe` share: made before them, closed after them. */
import { afterAll, beforeAll } from "vitest"
import type { HttpOptions } from "../src/index.ts"
import { type Binding, caller, type Member, makeSetup, type Ports, type Send, type Setup } from "./Setup.ts"

/** Makes a value before the tests. The function that gives it fails outside of hooks and tests. */
const before = <A>(make: () => Promise<A>): (() => A) => {
  let made: { readonly value: A } | undefined
  beforeAll(async () => {
    made = { value: await make() }
  })
  return () => {
    if (made === undefined) throw new Error("not made yet: use this in hooks and tests alone")
    return made.value
  }
}

/** A memory of its own with a member of one organisation. */
export const useMember = () => {
  const setup: () => Setup = before(makeSetup)
  const member: () => Member = before(() => setup().join("Sunfield"))
  afterAll(() => setup().close())
  return { setup, member }
}

/** The same, served by this binding. `send` sends with the key of the member. */
export const useServer = (
  bind: (ports: Ports, options?: HttpOptions) => Binding | Promise<Binding>,
  options?: HttpOptions
) => {
  const { member, setup } = useMember()
  const binding: () => Binding = before(async () => bind(setup().ports, options))
  const send: Send = (line, call) => caller(binding(), member().key)(line, call)
  afterAll(() => binding().close())
  return { setup, member, binding, send }
}
