/**
 * A number with its name, as a link where a page has more about it.
 */
import { Anchor, Text } from "@mantine/core"
import { Link } from "react-router"

interface Props {
  readonly name: string
  readonly value: string
  /** Path of the page with the records. */
  readonly to?: string | undefined
  readonly hint?: string | undefined
}

export const Figure = ({ hint, name, to, value }: Props) => (
  <div>
    <Text size="sm" c="dimmed">
      {to === undefined ? (
        name
      ) : (
        <Anchor component={Link} to={to} inherit c="dimmed">
          {name}
        </Anchor>
      )}
    </Text>
    <Text fz="xl" fw={600} style={{ overflowWrap: "anywhere" }}>
      {value}
    </Text>
    {hint !== undefined && (
      <Text size="xs" c="dimmed">
        {hint}
      </Text>
    )}
  </div>
)
