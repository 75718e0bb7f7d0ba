/**
 * What a program needs beside a key: the address of the API, a first request, the reference.
 */
import { Anchor, Text } from "@mantine/core"
import { CopyableText } from "../shell/CopyableText.tsx"
import { Detail, Details } from "../shell/Details.tsx"
import { Section } from "../shell/Section.tsx"
import { apiKeyTexts as texts } from "../texts/en/apiKeys.ts"

// The key comes from the environment, so that it is in no history of a shell.
const command = `curl -H "x-api-key: $SOLAR_SITES_KEY" "${location.origin}/api/sites?limit=10"`

export const DeveloperSection = () => (
  <Section title={texts.developers}>
    <Details>
      <Detail name={texts.baseAddress}>
        <CopyableText name={texts.baseAddress} text={location.origin} />
      </Detail>
      <Detail name={texts.example}>
        <CopyableText name={texts.exampleCopy} text={command} />
        <Text size="xs" c="dimmed" mt={4}>
          {texts.exampleHint}
        </Text>
      </Detail>
      <Detail name={texts.reference}>
        <Anchor href="/docs" target="_blank" size="sm">
          {texts.openReference}
        </Anchor>
      </Detail>
    </Details>
  </Section>
)
