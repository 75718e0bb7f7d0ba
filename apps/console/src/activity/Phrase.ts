/** What the actor of an event did, around the name of the subject. */
export interface Phrase {
  readonly before: string
  readonly after?: string
  /** True when the sentence is complete without the subject. */
  readonly withoutSubject?: boolean
  /** True when the sentence begins with the phrase. */
  readonly withoutActor?: boolean
}
