/** Hours for which the first answer to an `Idempotency-Key` is kept (specification, section 7). */
export const idempotencyKeyHours = 24
