/**
 * Documents that have expired, or have begun to expire, since the last visit. A visit ends with the link to the
 * coverage that shows them. Each state has its own place in the feed of events, kept in this browser.
 */
import type { Event, List } from "@solar-sites/http-node/client"

export const endingStates = ["expired", "expiring"] as const
export type EndingState = (typeof endingStates)[number]

/** `isMore`: there are more than `count`. `place` is the place in the feed after them. */
export interface NewEndings {
  readonly count: number
  readonly isMore: boolean
  readonly place: string | null
}

/** The events that are read at once. */
export const pageOfNews = 100

/** Counts a document with several events once. */
export const newEndingsOf = ({ data, nextCursor }: List<Event>): NewEndings => ({
  count: new Set(data.map(({ subject }) => subject.id)).size,
  isMore: data.length === pageOfNews,
  place: nextCursor
})

const storageKey = (owner: string, state: EndingState): string => `solar-sites ${owner} seen ${state}`

export const placeOf = (owner: string, state: EndingState): string | null => {
  try {
    return localStorage.getItem(storageKey(owner, state))
  } catch {
    return null
  }
}

/** Keeps the place, so that the next visit begins there. */
export const keepPlace = (owner: string, state: EndingState, place: string): void => {
  try {
    localStorage.setItem(storageKey(owner, state), place)
  } catch {
    // Without storage, or with a full one, the next visit shows the same again.
  }
}
