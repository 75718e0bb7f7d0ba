/**
 * One idempotency key per request body: a retry after a lost connection creates
 * no second resource.
 */
import { useRef } from "react"

// `randomUUID` is missing on pages without TLS.
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

export const useIdempotencyKey = (): ((body: unknown) => string) => {
  const last = useRef({ text: "", key: "" })
  return (body) => {
    const text = JSON.stringify(body)
    if (last.current.text !== text) last.current = { text, key: newKey() }
    return last.current.key
  }
}
