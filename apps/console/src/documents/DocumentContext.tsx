/**
 * What a document belongs to: its site and portfolio, and the requirement that it fulfils.
 */
import { Anchor, Text } from "@mantine/core"
import type { Document, Site } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "react-router"
import { requirementOf } from "../health/Health.ts"
import { usePortfolioNames } from "../portfolios/portfolioQueries.ts"
import { requirementsQuery } from "../requirements/requirementQueries.ts"
import { documentTexts as texts } from "../texts/en/documents.ts"

interface Props {
  readonly document: Document
  /** Undefined while it is read. */
  readonly site: Site | undefined
}

const Requirement = ({ document, portfolioId }: Pick<Props, "document"> & { readonly portfolioId: string | null }) => {
  const { data } = useQuery({ ...requirementsQuery, refetchOnMount: true })
  const { nameOf } = usePortfolioNames()
  if (data === undefined) return null
  const requirement = requirementOf(document, data.requirements, portfolioId)
  if (requirement === undefined) return texts.notRequired
  const kind = texts.documentTypes[requirement.documentType]
  return requirement.portfolioId === null
    ? texts.requiredOfAll(kind)
    : texts.requiredOf(kind, nameOf(requirement.portfolioId))
}

export const DocumentContext = ({ document, site }: Props) => {
  const { nameOf } = usePortfolioNames()
  if (site === undefined) return null
  const { id, portfolioId, siteName } = site
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      <Anchor component={Link} to={`/sites/${id}`} inherit fw={500} underline="always">
        {siteName}
      </Anchor>
      {portfolioId !== null && (
        <>
          {" · "}
          <Anchor component={Link} to={`/portfolios/${portfolioId}`} inherit underline="always">
            {nameOf(portfolioId)}
          </Anchor>
        </>
      )}
      {" · "}
      <Text span inherit c="dimmed">
        <Requirement document={document} portfolioId={portfolioId} />
      </Text>
    </Text>
  )
}
