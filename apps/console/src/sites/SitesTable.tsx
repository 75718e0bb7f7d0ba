/**
 * One page of sites as a table with order and selection.
 */
import { Anchor, Checkbox, Group, Table, Text, UnstyledButton, VisuallyHidden } from "@mantine/core"
import type { Site } from "@solar-sites/http-node/client"
import { Link } from "react-router"
import { IconArrowDown, IconArrowUp } from "../shell/icons.ts"
import { useCan } from "../shell/session.ts"
import { formatNumber } from "../texts/formats.ts"
import { siteTexts as texts } from "../texts/sites.ts"
import { SiteActions } from "./SiteActions.tsx"
import type { SiteOrder } from "./SiteList.ts"
import classes from "./Sites.module.css"
import type { PageView } from "./useSiteView.ts"

interface Props {
  readonly sites: ReadonlyArray<Site>
  readonly nameOf: (portfolioId: string | null) => string
  readonly view: PageView
  readonly onChange: (changes: Partial<PageView>) => void
  readonly selected: ReadonlySet<string>
  readonly onSelect: (siteIds: ReadonlySet<string>) => void
}

interface HeadingProps extends Pick<Props, "view" | "onChange"> {
  readonly order: Exclude<SiteOrder, "createdAt">
  readonly end?: boolean
}

const Heading = ({ end = false, onChange, order, view }: HeadingProps) => {
  const active = view.order === order
  const Arrow = view.descending ? IconArrowDown : IconArrowUp
  return (
    <Table.Th
      aria-sort={active ? (view.descending ? "descending" : "ascending") : "none"}
      {...(order === "portfolio" ? { visibleFrom: "sm" } : {})}
    >
      <UnstyledButton
        className={classes.heading}
        data-end={end || undefined}
        onClick={() => onChange({ order, descending: active && !view.descending })}
      >
        {texts.columns[order]}
        <Arrow size={14} aria-hidden className={classes.arrow} data-active={active || undefined} />
      </UnstyledButton>
    </Table.Th>
  )
}

const oneLine = (address: string | null): string => (address ?? "").trim().replaceAll(/\s*\n\s*/g, ", ")

export const SitesTable = ({ nameOf, onChange, onSelect, selected, sites, view }: Props) => {
  const canWrite = useCan("sites:write")
  // Selected sites move between portfolios.
  const canSelect = useCan("portfolios:write")
  const count = sites.filter(({ id }) => selected.has(id)).length
  const mark = (siteIds: ReadonlyArray<string>, on: boolean) => {
    const changed = new Set(selected)
    for (const id of siteIds) on ? changed.add(id) : changed.delete(id)
    onSelect(changed)
  }
  return (
    <Table
      aria-label={texts.table}
      highlightOnHover
      verticalSpacing={5}
      className={classes.table}
      stickyHeader
      stickyHeaderOffset="var(--app-shell-header-height, 0px)"
    >
      <Table.Thead>
        <Table.Tr>
          {canSelect && (
            <Table.Th w={40}>
              <Checkbox
                aria-label={texts.selectPage}
                checked={count > 0 && count === sites.length}
                indeterminate={count > 0 && count < sites.length}
                onChange={(event) =>
                  mark(
                    sites.map(({ id }) => id),
                    event.currentTarget.checked
                  )
                }
              />
            </Table.Th>
          )}
          <Heading order="siteName" view={view} onChange={onChange} />
          <Table.Th visibleFrom="sm">{texts.columns.address}</Table.Th>
          <Heading order="capacityKw" end view={view} onChange={onChange} />
          <Heading order="portfolio" view={view} onChange={onChange} />
          <Table.Th w={48}>
            <VisuallyHidden>{texts.actionsColumn}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {sites.map((site) => (
          <Table.Tr key={site.id} data-selected={selected.has(site.id) || undefined} className={classes.row}>
            {canSelect && (
              <Table.Td>
                <Checkbox
                  aria-label={texts.select(site.siteName)}
                  checked={selected.has(site.id)}
                  onChange={(event) => mark([site.id], event.currentTarget.checked)}
                />
              </Table.Td>
            )}
            <Table.Td className={classes.name}>
              <Anchor component={Link} to={`/sites/${site.id}`} size="sm" fw={500}>
                {site.siteName}
              </Anchor>
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {[nameOf(site.portfolioId), oneLine(site.address)].filter(Boolean).join(" · ")}
              </Text>
            </Table.Td>
            <Table.Td visibleFrom="sm" className={classes.address}>
              <Text size="sm" c="dimmed" lineClamp={1} title={site.address ?? ""}>
                {oneLine(site.address)}
              </Text>
            </Table.Td>
            <Table.Td className={classes.number}>{`${formatNumber(site.capacity)} ${site.unit}`}</Table.Td>
            <Table.Td visibleFrom="sm" className={classes.portfolio}>
              <Text size="sm" lineClamp={1}>
                {nameOf(site.portfolioId)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Group justify="flex-end">{canWrite && <SiteActions site={site} />}</Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
