/** What is said when something did not work. */
export const failureTexts = {
  noConnection:
    "There is no connection to the server. Whether the change was made is not known; look before you try again.",
  notDone: "This was not done",
  request: (id: string) => `The request was ${id}.`,
  retry: "Try again",
  tooMany: (seconds: number | null) =>
    seconds === null
      ? "Too many requests. Try again in a while."
      : `Too many requests. Try again in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
  unexpected: "Something went wrong in this page. Reload it and try again.",
  unexpectedAnswer: "Something between this page and the server has answered instead of it. Try again later.",
  unreadable: "This could not be read"
}
