/**
 * The organisation of the user: identity, access to the API, use and limits.
 */
import { Anchor, Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { configurationQuery } from "../api/queries.ts"
import { CopyableText } from "../shell/CopyableText.tsx"
import { Detail, Details } from "../shell/Details.tsx"
import { Section } from "../shell/Section.tsx"
import { useIsLimited, useSession } from "../shell/session.ts"
import { companyTexts as texts } from "../texts/en/company.ts"
import { formatBytes } from "../texts/formats.ts"
import { RenameDialog } from "./RenameDialog.tsx"
import { UseSection } from "./UseSection.tsx"

export const OverviewTab = () => {
  const { organisation, user } = useSession()
  const { data: configuration } = useQuery(configurationQuery)
  const [isRenaming, setRenaming] = useState(false)
  const isLimited = useIsLimited()
  const rename = user.role === "owner" && (
    <Button variant="default" size="xs" onClick={() => setRenaming(true)}>
      {texts.rename}
    </Button>
  )
  return (
    <>
      <Section title={texts.details} actions={rename}>
        <Details>
          <Detail name={texts.name}>{organisation.name}</Detail>
          <Detail name={texts.id}>
            <CopyableText name={texts.id} text={organisation.id} />
          </Detail>
          <Detail name={texts.status}>{texts.statusOf(organisation.status)}</Detail>
        </Details>
      </Section>
      {!isLimited && <UseSection />}
      <Section title={texts.api}>
        <Details>
          <Detail name={texts.baseAddress}>
            <CopyableText name={texts.baseAddress} text={location.origin} />
          </Detail>
          <Detail name={texts.reference}>
            <Anchor href="/docs" target="_blank" size="sm">
              {texts.openReference}
            </Anchor>
          </Detail>
          {configuration !== undefined && (
            <>
              <Detail name={texts.requests}>{texts.requestsOf(configuration.api.requestsPerMinute)}</Detail>
              <Detail name={texts.file}>{texts.upTo(formatBytes(configuration.uploads.maximumFileBytes))}</Detail>
              <Detail name={texts.cover}>{texts.upTo(formatBytes(configuration.uploads.maximumCoverBytes))}</Detail>
            </>
          )}
        </Details>
      </Section>
      {isRenaming && <RenameDialog onClose={() => setRenaming(false)} />}
    </>
  )
}
