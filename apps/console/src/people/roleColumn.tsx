/**
 * The role of a user or of an invitation, with its limit to portfolios.
 */
import type { Person } from "../api/people.ts"
import type { Column } from "../lists/DataTable.tsx"
import { LimitLine } from "../portfolios/LimitLine.tsx"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { roleTexts } from "../texts/en/roles.ts"

export const roleColumn: Column<Pick<Person, "portfolioIds" | "role">> = {
  key: "role",
  label: texts.columns.role,
  cell: ({ portfolioIds, role }) => (
    <>
      {roleTexts[role].name}
      <LimitLine limit={portfolioIds} />
    </>
  )
}
