/**
 * The filters of the activity: kind of resource, actor, site, days.
 */
import { Button, Group } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useSearchParams } from "react-router"
import { isManager } from "../api/people.ts"
import { apiKeysQuery } from "../api-keys/apiKeyQueries.ts"
import { peopleQuery } from "../people/peopleQueries.ts"
import { LabelledDate } from "../shell/LabelledDate.tsx"
import { Select } from "../shell/Select.tsx"
import { useIsLimited, useSession } from "../shell/session.ts"
import { SiteSelect } from "../sites/SiteSelect.tsx"
import { activityTexts as texts } from "../texts/en/activity.ts"
import type { FilterName } from "./eventFilters.ts"

const groups = Object.entries(texts.groups).map(([value, label]) => ({ value, label }))

/** Limited users see no other events. */
const limitedGroups = groups.filter(({ value }) => ["sites", "portfolios", "documents"].includes(value))

/** The people, and the keys where the role allows their list. */
const useActors = () => {
  const { user } = useSession()
  const { data: people = [] } = useQuery(peopleQuery)
  const { data: apiKeys = [] } = useQuery({ ...apiKeysQuery, enabled: isManager(user.role) })
  const optionOf = ({ id, name }: { readonly id: string; readonly name: string }) => ({ value: id, label: name })
  return [
    { group: texts.people, items: people.map(optionOf) },
    {
      group: texts.apiKeys,
      items: apiKeys.map(({ id, name, prefix }) => ({ value: id, label: `${name} (${prefix}…)` }))
    }
  ].filter(({ items }) => items.length > 0)
}

export const ActivityFilters = () => {
  const [params, setParams] = useSearchParams()
  const actors = useActors()
  const isLimited = useIsLimited()
  const choose = (name: FilterName) => (value: string | null) =>
    setParams(
      (before) => {
        if (value === null || value === "") before.delete(name)
        else before.set(name, value)
        return before
      },
      { replace: true }
    )
  return (
    <Group gap="xs">
      <Select
        aria-label={texts.about}
        placeholder={texts.anyAbout}
        data={isLimited ? limitedGroups : groups}
        value={params.get("about")}
        onChange={choose("about")}
        clearable
        flex="1 1 140px"
        maw={200}
      />
      <Select
        aria-label={texts.actor}
        placeholder={texts.anyActor}
        data={actors}
        value={params.get("actor")}
        onChange={choose("actor")}
        clearable
        searchable
        flex="1 1 160px"
        maw={240}
      />
      <SiteSelect
        aria-label={texts.site}
        placeholder={texts.anySite}
        clearable
        value={params.get("site")}
        onChange={choose("site")}
        flex="1 1 160px"
        maw={240}
      />
      <LabelledDate
        label={texts.from}
        value={params.get("from") ?? ""}
        max={params.get("to") ?? undefined}
        onChange={choose("from")}
      />
      <LabelledDate
        label={texts.to}
        value={params.get("to") ?? ""}
        min={params.get("from") ?? undefined}
        onChange={choose("to")}
      />
      {params.size > 0 && (
        <Button variant="subtle" color="gray" onClick={() => setParams({}, { replace: true })}>
          {texts.clear}
        </Button>
      )}
    </Group>
  )
}
