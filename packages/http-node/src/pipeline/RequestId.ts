/** True of a request id that a client may choose (specification, section 3). */
export const isRequestId = (sent: unknown): sent is string =>
  typeof sent === "string" && /^[A-Za-z0-9-]{8,64}$/.test(sent)
