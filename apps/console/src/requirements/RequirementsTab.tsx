/**
 * The documents that sites must have.
 */
import { EmptyState, Paper } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { CompanyTab } from "../company/CompanyTab.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { useCan } from "../shell/session.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"
import { RequirementsEditor } from "./RequirementsEditor.tsx"
import { RequirementsTable } from "./RequirementsTable.tsx"
import { requirementsQuery } from "./requirementQueries.ts"

export const RequirementsTab = () => {
  const canWrite = useCan("requirements:write")
  const { data, error, isFetchedAfterMount, refetch } = useQuery(requirementsQuery)
  const content = () => {
    // An editor starts from the current list, not from the cache.
    if (data === undefined || !isFetchedAfterMount) return <NotRead height={200} error={error} onRetry={refetch} />
    if (canWrite) return <RequirementsEditor requirements={data} />
    if (data.requirements.length === 0) return <EmptyState title={texts.none} description={texts.readOnly} py="xl" />
    return (
      <Paper withBorder>
        <RequirementsTable requirements={data.requirements} />
      </Paper>
    )
  }
  return <CompanyTab description={texts.description}>{content()}</CompanyTab>
}
