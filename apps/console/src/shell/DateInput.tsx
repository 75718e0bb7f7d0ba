/**
 * A date. Browsers show it in their own order of day and month, so it is repeated with the notation of
 * the page.
 */
import { TextInput, type TextInputProps } from "@mantine/core"
import { formatDay } from "../texts/formats.ts"

interface Props extends TextInputProps {
  /** `YYYY-MM-DD`; empty for none. */
  readonly value: string
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

export const DateInput = (props: Props) => (
  <TextInput
    {...props}
    type="date"
    inputWrapperOrder={["label", "input", "description", "error"]}
    description={isDay(props.value) ? `= ${formatDay(props.value)}` : undefined}
  />
)
