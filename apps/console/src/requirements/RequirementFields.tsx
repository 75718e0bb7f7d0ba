/**
 * The fields of one requirement.
 */
import { ActionIcon, Checkbox, Group, Select, Text, TextInput } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { memo } from "react"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { IconTrash } from "../shell/icons.ts"
import { documentTexts } from "../texts/documents.ts"
import { requirementTexts as texts } from "../texts/requirements.ts"
import { isDocumentType, type RequirementRow } from "./RequirementRows.ts"

const documentTypes = Object.entries(documentTexts.documentTypes).map(([value, label]) => ({ value, label }))
const allSites = { value: "", label: texts.allSites }

interface Props {
  readonly row: RequirementRow
  /** From 1. */
  readonly number: number
  readonly typeFault: string | undefined
  readonly daysFault: string | undefined
  readonly portfolios: ReadonlyArray<Portfolio>
  readonly onChange: (key: string, change: Partial<RequirementRow>) => void
  readonly onRemove: (key: string) => void
}

const Fields = ({ daysFault, number, onChange, onRemove, portfolios, row, typeFault }: Props) => (
  <Group component="fieldset" aria-label={texts.rowOf(number)} gap="sm" align="flex-start" bd={0} p={0} m={0}>
    <Select
      aria-label={texts.labelOf(texts.columns.documentType, number)}
      placeholder={texts.chooseType}
      data={documentTypes}
      value={row.documentType}
      error={typeFault}
      searchable
      allowDeselect={false}
      flex="3 1 160px"
      onChange={(value) => isDocumentType(value) && onChange(row.key, { documentType: value })}
    />
    <PortfolioSelect
      aria-label={texts.labelOf(texts.columns.sites, number)}
      portfolios={portfolios}
      first={[allSites]}
      value={row.portfolioId ?? ""}
      allowDeselect={false}
      flex="2 1 140px"
      onChange={(value) => onChange(row.key, { portfolioId: value === "" ? null : value })}
    />
    <TextInput
      aria-label={texts.labelOf(texts.days, number)}
      inputMode="numeric"
      value={row.expiringWithin}
      error={daysFault}
      w={210}
      rightSectionWidth={140}
      rightSection={
        <Text size="xs" c="dimmed">
          {texts.daysUnit}
        </Text>
      }
      onChange={(event) => onChange(row.key, { expiringWithin: event.currentTarget.value })}
    />
    <Checkbox
      label={texts.validityRequired}
      aria-label={texts.labelOf(texts.validityRequired, number)}
      checked={row.validityRequired}
      mt={8}
      onChange={(event) => onChange(row.key, { validityRequired: event.currentTarget.checked })}
    />
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={texts.remove(number)}
      onClick={() => onRemove(row.key)}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  </Group>
)

/** Typing in one of 200 rows renders that row only. */
export const RequirementFields = memo(Fields)
