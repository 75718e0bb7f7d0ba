/**
 * Name of a user in an audit trail. It is never guessed: an id that is not among the people stands
 * for itself, as it may belong to a removed user or to another system.
 */
import { peopleTexts as texts } from "../texts/en/people.ts"

interface Person {
  readonly id: string
  readonly name: string
}

/** Undefined while the people are read and the user is not among those of before. */
export const personName = (userId: string, known: ReadonlyArray<Person>, isReading: boolean): string | undefined => {
  const person = known.find(({ id }) => id === userId)
  if (person !== undefined) return person.name
  return isReading ? undefined : texts.userWithId(userId)
}
