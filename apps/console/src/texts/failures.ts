/** What is said when something did not work. */
const waitOf = (seconds: number): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? "a second" : `${seconds} seconds`
}

export const failureTexts = {
  noConnection: "The server cannot be reached. Look whether you are connected, then try again.",
  notDone: "This was not done",
  request: (id: string) => `The request was ${id}.`,
  retry: "Try again",
  tooMany: (seconds: number | null) =>
    `That was tried too often. Try again in ${seconds === null ? "a while" : waitOf(seconds)}.`,
  unexpected: "Something went wrong in this page. Reload it and try again.",
  unexpectedAnswer: "Something between this page and the server has answered instead of it. Try again later.",
  unreadable: "This could not be read"
}
