/**
 * Creates models from stored members without validation.
 */

/**
 * An instance of the model with these members, which were validated before they were stored.
 * Validating a page of sites again would cost more than all other work of an adapter.
 */
export const makeUnchecked = <A extends object>(model: { readonly prototype: A }, members: Pick<A, keyof A>): A => {
  // V8 turns an object with more than 16 members into a hash table when `Object.assign` adds them one by one. Copies
  // of that one take six times as long. The literal has the members and the prototype of the model.
  const made: object = { __proto__: model.prototype, ...members }
  return made as A
}
