/**
 * The fields of one requirement.
 */
import { Checkbox, Group, TextInput } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { Select } from "../shell/Select.tsx"
import { documentTexts } from "../texts/en/documents.ts"
import { requirementTexts as texts } from "../texts/en/requirements.ts"
import { isDocumentType, type RequirementRow, type RowFaults } from "./RequirementRows.ts"

const documentTypes = Object.entries(documentTexts.documentTypes).map(([value, label]) => ({ value, label }))
const allSites = { value: "", label: texts.allSites }

export interface RequirementFieldsProps extends RowFaults {
  readonly row: RequirementRow
  /** From 1. */
  readonly number: number
  readonly portfolios: ReadonlyArray<Portfolio>
  readonly onChange: (key: string, change: Partial<RequirementRow>) => void
}

/** Names with the number of the requirement are for assistive technology. */
const labelled = (label: string, number: number) => ({ label, "aria-label": texts.labelOf(label, number) })

export const RequirementFields = (props: RequirementFieldsProps) => {
  const { documentType, expiringWithin, number, onChange, portfolios, row } = props
  return (
    <Group component="fieldset" aria-label={texts.rowOf(number)} gap="sm" align="flex-start" bd={0} p={0} m={0}>
      <Select
        {...labelled(texts.columns.documentType, number)}
        placeholder={texts.chooseType}
        data={documentTypes}
        value={row.documentType}
        error={documentType}
        searchable
        allowDeselect={false}
        flex="3 1 160px"
        onChange={(value) => isDocumentType(value) && onChange(row.key, { documentType: value })}
      />
      <PortfolioSelect
        {...labelled(texts.columns.sites, number)}
        portfolios={portfolios}
        first={[allSites]}
        value={row.portfolioId ?? ""}
        allowDeselect={false}
        flex="2 1 140px"
        onChange={(value) => onChange(row.key, { portfolioId: value === "" ? null : value })}
      />
      <TextInput
        {...labelled(texts.days, number)}
        inputMode="numeric"
        value={row.expiringWithin}
        error={expiringWithin}
        w={190}
        onChange={(event) => onChange(row.key, { expiringWithin: event.currentTarget.value })}
      />
      <Checkbox
        {...labelled(texts.validityRequired, number)}
        checked={row.validityRequired}
        mt={{ base: 0, sm: 33 }}
        onChange={(event) => onChange(row.key, { validityRequired: event.currentTarget.checked })}
      />
    </Group>
  )
}
