/**
 * Stands in place of the coverage while nothing is required.
 */
import { EmptyState } from "@mantine/core"
import { SmallLink } from "../shell/SmallLink.tsx"

interface Props {
  readonly texts: {
    readonly noRequirements: string
    readonly noRequirementsHint?: string
    readonly requirements: string
  }
}

export const NoRequirements = ({ texts: { noRequirements, noRequirementsHint, requirements } }: Props) => (
  <EmptyState title={noRequirements} description={noRequirementsHint} py="md">
    <SmallLink to="/company/requirements">{requirements}</SmallLink>
  </EmptyState>
)
