/**
 * The API keys of the organisation.
 */
import { Page } from "../shell/Page.tsx"
import { apiKeyTexts } from "../texts/apiKeys.ts"

export const ApiKeysPage = () => <Page title={apiKeyTexts.title} description={apiKeyTexts.description} />
