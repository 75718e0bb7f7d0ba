/** Messages for requests that did not work. */
import { asSentence } from "../formats.ts"

const waitOf = (seconds: number): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? "a second" : `${seconds} seconds`
}

export const failureTexts = {
  /** `pointer` is where the fault is, such as `/siteManager/name`. */
  fault: (pointer: string, detail: string) =>
    pointer === "" ? `${asSentence(detail)}.` : `${asSentence(pointer.slice(1).replaceAll("/", "."))} ${detail}.`,
  noConnection: "The server cannot be reached. Look whether you are connected, then try again.",
  notDone: "This was not done",
  request: (id: string) => `The request was ${id}.`,
  retry: "Try again",
  roleInsufficient: "Your role does not allow this. Ask an owner or admin of your organisation.",
  sessionEnded: "Your session had ended before this was done. Try again.",
  tooMany: (seconds: number | null) =>
    `That was tried too often. Try again in ${seconds === null ? "a while" : waitOf(seconds)}.`,
  unexpected: "Something went wrong in this page. Reload it and try again.",
  unexpectedAnswer: "Something between this page and the server has answered instead of it. Try again later.",
  unreadable: "This could not be read"
}
