/**
 * Stands in place of the coverage while the organisation has no requirements.
 */
import { Text } from "@mantine/core"
import { SmallLink } from "../shell/SmallLink.tsx"

interface Props {
  readonly texts: { readonly noRequirements: string; readonly requirements: string }
}

export const NoRequirements = ({ texts }: Props) => (
  <Text size="sm" c="dimmed">
    {texts.noRequirements} <SmallLink to="/company/requirements">{texts.requirements}</SmallLink>
  </Text>
)
