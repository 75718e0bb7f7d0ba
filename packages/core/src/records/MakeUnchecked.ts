/**
 * Creates models from stored members without validation.
 */

/**
 * An instance of the model with these members, which were validated before they were stored.
 * Validating a page of sites again would cost more than all other work of an adapter.
 */
export const makeUnchecked = <A extends object>(model: { readonly prototype: A }, members: Pick<A, keyof A>): A =>
  Object.assign(Object.create(model.prototype), members)
