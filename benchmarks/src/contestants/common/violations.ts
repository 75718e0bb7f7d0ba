/**
 * Finds the constraint that a statement violates, in the error of any library.
 */
import { Problem, type ProblemCode } from "./problems.ts"

const foreignKeyViolation = "23503"

const member = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)

const constraintOf = (error: unknown): unknown => {
  if (typeof error !== "object" || error === null) return undefined
  if (member(error, "code") === foreignKeyViolation)
    return member(error, "constraint") ?? member(error, "constraint_name")
  return constraintOf(member(error, "driverError") ?? member(error, "parent") ?? member(error, "cause"))
}

const problemOf: Readonly<Record<string, ProblemCode>> = {
  site_portfolio: "portfolio_not_found",
  document_site: "site_not_found"
}

/** Awaits a statement; a violated foreign key becomes a refusal. */
export const orRefuse = async <A>(statement: PromiseLike<A>): Promise<A> => {
  try {
    return await statement
  } catch (error) {
    const code = problemOf[String(constraintOf(error))]
    throw code === undefined ? error : new Problem(code)
  }
}
