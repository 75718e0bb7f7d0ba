/**
 * The changes of the whole organisation, with filters that are part of the URL.
 */
import { Paper } from "@mantine/core"
import { useMemo } from "react"
import { useSearchParams } from "react-router"
import { CompanyTab } from "../company/CompanyTab.tsx"
import { CsvButton } from "../shell/CsvButton.tsx"
import { activityTexts as texts } from "../texts/en/activity.ts"
import { ActivityFilters } from "./ActivityFilters.tsx"
import { ActivityList } from "./ActivityList.tsx"
import { filterOf, queryOf } from "./eventFilters.ts"

export const ActivityTab = () => {
  const [params] = useSearchParams()
  const filter = useMemo(() => filterOf(params), [params])
  return (
    <CompanyTab
      description={texts.description}
      actions={<CsvButton path={`/api/events?${queryOf(filter)}`} fileName="activity.csv" />}
    >
      <ActivityFilters />
      <Paper withBorder p="md">
        <ActivityList filter={filter} />
      </Paper>
    </CompanyTab>
  )
}
