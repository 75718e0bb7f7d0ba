/**
 * One key for as long as the same thing is asked for: who tries again after a
 * lost connection gets what the first try has made, not a second one.
 */
import { useRef } from "react"

// Unlike `randomUUID` this is there on pages without TLS too.
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
