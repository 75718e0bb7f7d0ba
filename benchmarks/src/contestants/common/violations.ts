/**
 * Finds the constraint that a statement violates, in the error of any library.
 */
import { Problem, type ProblemCode } from "./problems.ts"

const member = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const constraintOf = (error: unknown): unknown => {
  if (typeof error !== "object" || error === null) return undefined
  const constraint = member(error, "constraint") ?? member(error, "constraint_name")
  return constraint ?? constraintOf(member(error, "parent") ?? member(error, "cause"))
}

const problemOf: Readonly<Record<string, ProblemCode>> = {
  site_portfolio: "portfolio_not_found",
  document_site: "site_not_found",
  document_pending_maximum: "too_many_pending"
}

const taken = (externalId: string, takenBy: string): Problem => {
  const detail = `is the external id of ${takenBy}`
  const fault = { pointer: "/externalId", code: "external_id_taken", detail }
  return new Problem("external_id_taken", [fault], { conflicts: [{ externalId, takenBy }] })
}

/** Awaits statements; a violated constraint becomes a refusal. */
export const orRefuse = async <A>(statement: PromiseLike<A>): Promise<A> => {
  try {
    return await statement
  } catch (error) {
    const code = problemOf[String(constraintOf(error))]
    throw code === undefined ? error : new Problem(code)
  }
}

/**
 * `orRefuse` for statements that store an external id. `holderOf` finds the site that has it, after
 * the transaction has ended.
 */
export const orRefuseTaken = async <A>(
  externalId: string | null | undefined,
  statement: PromiseLike<A>,
  holderOf: (externalId: string) => Promise<string | undefined>
): Promise<A> => {
  try {
    return await orRefuse(statement)
  } catch (error) {
    if (!externalId || constraintOf(error) !== "site_external_id") throw error
    const holder = await holderOf(externalId)
    throw holder === undefined ? error : taken(externalId, holder)
  }
}
