/**
 * What events say, in the words of the catalogue.
 */
import type { Event } from "@solar-sites/http-node/client"
import { activityTexts as texts } from "../texts/en/activity.ts"
import type { Phrase } from "./Phrase.ts"

/** All types, in the order of the catalogue. */
export const eventTypes: ReadonlyArray<string> = Object.keys(texts.phrases)

/** Label of a member; without one its name. */
export const fieldOf = (member: string): string => texts.fields[member] ?? member

export const isOfService = ({ actor }: Event): boolean => actor.userId === null && actor.apiKeyId === null

const isMove = ({ changes, type }: Event): boolean =>
  type === "site.updated" && Object.keys(changes).join() === "portfolioId"

const movePhrase = ({ changes }: Event, portfolioOf: (id: unknown) => string): Phrase => {
  const { from = null, to = null } = changes["portfolioId"] ?? {}
  if (to === null) return texts.takenOut(portfolioOf(from))
  return from === null ? texts.putInto(portfolioOf(to)) : texts.movedTo(portfolioOf(to))
}

const updatePhrase = ({ changes }: Event): Phrase => {
  const names = Object.keys(changes).map(fieldOf)
  return names.length > 3 ? texts.changed(names.slice(0, 2), names.length - 2) : texts.changed(names, 0)
}

export const phraseOf = (event: Event, portfolioOf: (id: unknown) => string): Phrase => {
  if (isMove(event)) return movePhrase(event, portfolioOf)
  if (event.type === "user.created" && event.actor.userId === event.subject.id) return texts.joined
  if (event.type.endsWith(".updated") && event.subject.name !== null && Object.keys(event.changes).length > 0)
    return updatePhrase(event)
  return (isOfService(event) ? texts.ownPhrases[event.type] : undefined) ?? texts.phrases[event.type]
}

/** Words for several events in one line; undefined for types that have a line each. */
export const countOf = ({ type }: Event, count: number): string | undefined => texts.counted[type]?.(count)

/** The same for events of the service itself. */
export const ownCountOf = ({ type }: Event, count: number): string | undefined => texts.ownCounted[type]?.(count)
