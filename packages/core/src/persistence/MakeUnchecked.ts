/**
 * Models from what an adapter has stored.
 *
 * @since 0.1.0
 */

/**
 * An instance of a model from its members as they were when it was checked and
 * stored. Nothing is checked again: with a page of sites that would cost more
 * than all else the adapter does.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeUnchecked = <A extends object>(model: { readonly prototype: A }, members: Pick<A, keyof A>): A =>
  Object.assign(Object.create(model.prototype), members)
