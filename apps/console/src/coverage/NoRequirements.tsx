/**
 * Stands in place of the coverage while the organisation has no requirements.
 */
import { Anchor, Text } from "@mantine/core"
import { Link } from "react-router"

interface Props {
  readonly texts: { readonly noRequirements: string; readonly requirements: string }
}

export const NoRequirements = ({ texts }: Props) => (
  <Text size="sm" c="dimmed">
    {texts.noRequirements}{" "}
    <Anchor component={Link} to="/company/requirements" size="sm">
      {texts.requirements}
    </Anchor>
  </Text>
)
