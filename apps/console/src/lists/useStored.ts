/**
 * A setting of the user in this browser, one value per user and organisation.
 */
import { useState } from "react"
import { useSession } from "../shell/session.ts"

const read = (key: string): unknown => {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null")
  } catch {
    return null
  }
}

/** `parse` returns the default for a value that it does not know; null is none. */
export const useStored = <Value>(name: string, parse: (stored: unknown) => Value) => {
  const { organisation, user } = useSession()
  const key = `solar-sites ${organisation.id} ${user.id} ${name}`
  const [value, setValue] = useState(() => parse(read(key)))
  const store = (changed: Value) => {
    setValue(changed)
    try {
      localStorage.setItem(key, JSON.stringify(changed))
    } catch {
      // Without storage, or with a full one, the setting lasts until the page is left.
    }
  }
  return [value, store] as const
}
