/**
 * Choices of a field, which Mantine builds before the list is opened: a third of the elements of a page with filters.
 */
import type { ComboboxProps } from "@mantine/core"
import { type FocusEventHandler, useState } from "react"

interface Props {
  readonly comboboxProps?: ComboboxProps | undefined
  readonly onFocus?: FocusEventHandler<HTMLInputElement> | undefined
}

/** Builds the choices when the field is first focused, so that an arrow key that opens the list finds the chosen one. */
export const useLateChoices = ({ comboboxProps, onFocus }: Props) => {
  const [wasFocused, setWasFocused] = useState(false)
  const focus: FocusEventHandler<HTMLInputElement> = (event) => {
    setWasFocused(true)
    onFocus?.(event)
  }
  return { comboboxProps: { ...comboboxProps, keepMounted: wasFocused }, onFocus: focus }
}
