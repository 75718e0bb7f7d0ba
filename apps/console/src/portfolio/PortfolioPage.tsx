/**
 * One portfolio: totals, required documents and sites.
 */
import { Button, Group, Text } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "react-router"
import { isProblem } from "../api/failures.ts"
import { coverageSummaryQuery } from "../coverage/coverageQueries.ts"
import { healthOfSummary } from "../health/Health.ts"
import { HealthLink } from "../health/HealthLink.tsx"
import type { Action } from "../lists/Action.ts"
import { ActionButtons } from "../lists/ActionButtons.tsx"
import { portfolioActions } from "../portfolios/PortfolioActions.tsx"
import { portfolioQuery } from "../portfolios/portfolioQueries.ts"
import { Detail, Details } from "../shell/Details.tsx"
import { Failure } from "../shell/Failure.tsx"
import { IconPlus } from "../shell/icons.ts"
import { Page } from "../shell/Page.tsx"
import { Section } from "../shell/Section.tsx"
import { SmallLink } from "../shell/SmallLink.tsx"
import { useCan, useCanChangePortfolios, useCanMoveSites } from "../shell/session.ts"
import { Waiting } from "../shell/Waiting.tsx"
import { formatCapacity } from "../texts/capacity.ts"
import { portfolioPageTexts as texts } from "../texts/en/portfolio.ts"
import { formatDate, formatNumber } from "../texts/formats.ts"
import { AddSitesDialog } from "./AddSitesDialog.tsx"
import classes from "./Portfolio.module.css"
import { PortfolioCoverage } from "./PortfolioCoverage.tsx"
import { PortfolioSites } from "./PortfolioSites.tsx"

/** The same for a portfolio of another organisation and for one that does not exist. */
const PortfolioNotFound = () => (
  <Page title={texts.notFoundTitle}>
    <Text>{texts.notFound}</Text>
    <div>
      <Button component={Link} to="/portfolios" variant="default">
        {texts.toPortfolios}
      </Button>
    </div>
  </Page>
)

const Totals = ({ portfolio }: { readonly portfolio: Portfolio }) => (
  <Section title={texts.totals}>
    <Details>
      <Detail name={texts.sites}>{formatNumber(portfolio.siteCount)}</Detail>
      <Detail name={texts.capacity}>{formatCapacity(portfolio.capacityKw)}</Detail>
      <Detail name={texts.externalId}>{portfolio.externalId ?? texts.unknown}</Detail>
      <Detail name={texts.createdAt}>{formatDate(portfolio.createdAt)}</Detail>
      <Detail name={texts.updatedAt}>{formatDate(portfolio.updatedAt)}</Detail>
    </Details>
  </Section>
)

const LoadedPortfolio = ({ portfolio }: { readonly portfolio: Portfolio }) => {
  const navigate = useNavigate()
  const canAdd = useCanMoveSites()
  const canChange = useCanChangePortfolios()
  const canReadDocuments = useCan("documents:read")
  const { data: summary } = useQuery({
    ...coverageSummaryQuery({ portfolioId: portfolio.id }),
    enabled: canReadDocuments
  })
  const change = portfolioActions(portfolio, texts, () => navigate("/portfolios", { replace: true }))
  const actions: ReadonlyArray<Action> = [
    {
      label: texts.add,
      Icon: IconPlus,
      isMain: true,
      isOffered: canAdd,
      dialog: (close) => <AddSitesDialog portfolio={portfolio} onClose={close} />
    },
    ...change.map((action) => ({ ...action, isOffered: canChange }))
  ]
  const back = (
    <Group gap="md" component="span">
      <SmallLink to="/portfolios">{texts.back}</SmallLink>
      <HealthLink to={`/coverage?portfolio=${portfolio.id}`} health={summary && healthOfSummary(summary)} />
    </Group>
  )
  return (
    <Page
      title={portfolio.name}
      description={back}
      actions={
        <Group gap="xs">
          <ActionButtons actions={actions} />
        </Group>
      }
    >
      <div className={classes.summary}>
        <Totals portfolio={portfolio} />
        {canReadDocuments && <PortfolioCoverage portfolioId={portfolio.id} />}
      </div>
      <PortfolioSites portfolio={portfolio} />
    </Page>
  )
}

export const PortfolioPage = () => {
  const { portfolioId = "" } = useParams()
  const { data: portfolio, error, refetch } = useQuery(portfolioQuery(portfolioId))
  if (isProblem(error, "portfolio_not_found")) return <PortfolioNotFound />
  if (portfolio !== undefined) return <LoadedPortfolio key={portfolio.id} portfolio={portfolio} />
  return error === null ? <Waiting /> : <Failure error={error} onRetry={() => void refetch()} />
}
