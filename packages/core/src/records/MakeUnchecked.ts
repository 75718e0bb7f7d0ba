/**
 * Creates models from stored members without validation.
 */

/**
 * Maximum of members to add to an object one by one. V8 turns one with more into a hash table, which takes five times the
 * memory, and copies of it six times as long.
 */
export const maximumAddedMembers = 19

/**
 * An instance of the model with these members, which were validated before they were stored.
 * Validating a page of sites again would cost more than all other work of an adapter.
 */
export const makeUnchecked = <A extends object>(model: { readonly prototype: A }, members: Pick<A, keyof A>): A => {
  if (Object.keys(members).length <= maximumAddedMembers) return Object.assign(Object.create(model.prototype), members)
  const made: object = { __proto__: model.prototype, ...members }
  // It has the members and the prototype of the model.
  return made as A
}
