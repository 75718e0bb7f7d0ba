/**
 * A date among the filters of a list, with its label inside, since a date has no placeholder.
 */
import { Text } from "@mantine/core"
import { DateInput } from "./DateInput.tsx"

interface Props {
  readonly label: string
  /** `YYYY-MM-DD`; empty for none. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly min?: string | undefined
  readonly max?: string | undefined
}

export const LabelledDate = ({ label, max, min, onChange, value }: Props) => (
  <DateInput
    aria-label={label}
    leftSection={
      <Text size="sm" c="dimmed" aria-hidden>
        {label}
      </Text>
    }
    leftSectionWidth={60}
    value={value}
    {...(min === undefined ? {} : { min })}
    {...(max === undefined ? {} : { max })}
    onChange={(event) => onChange(event.currentTarget.value)}
    w={200}
  />
)
