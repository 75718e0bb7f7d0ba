/**
 * The organisation of the user.
 */

import { CopyableText } from "../shell/CopyableText.tsx"
import { Detail, Details } from "../shell/Details.tsx"
import { Section } from "../shell/Section.tsx"
import { useSession } from "../shell/session.ts"
import { companyTexts as texts } from "../texts/company.ts"
import { CompanyPage } from "./CompanyPage.tsx"

export const OverviewTab = () => {
  const { organisation } = useSession()
  return (
    <CompanyPage title={texts.title}>
      <Section title={texts.details}>
        <Details>
          <Detail name={texts.name}>{organisation.name}</Detail>
          <Detail name={texts.id}>
            <CopyableText name={texts.id} text={organisation.id} />
          </Detail>
        </Details>
      </Section>
    </CompanyPage>
  )
}
