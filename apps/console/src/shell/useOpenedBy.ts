/**
 * A dialog that the address opens, such as `?new`: links and actions of the search lead to it.
 */
import { useCallback, useState } from "react"
import { useLocation, useSearchParams } from "react-router"

export interface OpenedBy {
  readonly opened: boolean
  readonly open: () => void
  readonly close: () => void
}

/** A dialog that is open stays when the role of the user no longer allows it: the server says so. */
export const useOpenedBy = (name: string, isAllowed: boolean): OpenedBy => {
  const [wasAllowed, setAllowed] = useState(isAllowed)
  if (isAllowed && !wasAllowed) setAllowed(true)
  const [parameters, setParameters] = useSearchParams()
  const isNamed = parameters.has(name)
  // The router changes the address later. Until then a second click would send the form again.
  const [closed, setClosed] = useState(false)
  if (closed && !isNamed) setClosed(false)
  // The state of a list holds its pages before this one.
  const { state } = useLocation()
  const set = useCallback(
    (opened: boolean) =>
      setParameters(
        () => {
          // The address bar can be newer than the rendered page.
          const next = new URLSearchParams(location.search)
          if (opened) next.set(name, "")
          else next.delete(name)
          return next
        },
        { replace: true, preventScrollReset: true, state }
      ),
    [name, setParameters, state]
  )
  const change = (opened: boolean) => {
    setClosed(!opened && isNamed)
    set(opened)
  }
  return { opened: wasAllowed && isNamed && !closed, open: () => change(true), close: () => change(false) }
}
