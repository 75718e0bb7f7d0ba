/**
 * Filters of the lists of documents beside the search.
 */
import { memo } from "react"
import { isDocumentType } from "../documents/Purpose.ts"
import { PortfolioFilter } from "../portfolios/PortfolioFilter.tsx"
import { Select } from "../shell/Select.tsx"
import { documentListTexts as texts } from "../texts/en/documentList.ts"
import { documentTexts } from "../texts/en/documents.ts"
import { type DocumentFilters, type DocumentView, dayChoices, isState } from "./documentFilters.ts"

interface Props {
  readonly view: DocumentView
  readonly filters: DocumentFilters
  readonly onChange: (changes: Partial<DocumentFilters>) => void
}

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const types = choicesOf(documentTexts.documentTypes)
const states = choicesOf({ current: documentTexts.current, ...documentTexts.states })
const days = dayChoices.map((count) => ({ value: String(count), label: texts.within(count) }))

// The list is rendered again for each answer to it.
export const DocumentFilterInputs = memo(({ filters, onChange, view }: Props) => {
  return (
    <>
      {view === "expiring" && (
        <Select
          aria-label={texts.daysFilter}
          data={days}
          allowDeselect={false}
          value={String(filters.days)}
          onChange={(chosen) => {
            const found = dayChoices.find((count) => String(count) === chosen)
            if (found !== undefined) onChange({ days: found })
          }}
          w={200}
        />
      )}
      {view === "all" && (
        <Select
          aria-label={texts.stateFilter}
          placeholder={documentTexts.anyState}
          data={states}
          clearable
          value={filters.state}
          onChange={(state) => onChange({ state: isState(state) ? state : null })}
          flex="1 1 130px"
          maw={200}
        />
      )}
      <Select
        aria-label={texts.typeFilter}
        placeholder={documentTexts.anyType}
        data={types}
        clearable
        searchable
        value={filters.documentType}
        onChange={(type) => onChange({ documentType: isDocumentType(type) ? type : null })}
        flex="1 1 130px"
        maw={200}
      />
      <PortfolioFilter value={filters.portfolio} onChange={onChange} />
    </>
  )
})
