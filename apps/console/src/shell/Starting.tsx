/**
 * What the page shows until the session is read: the same as `index.html` shows while the scripts are loaded.
 */
import { shellTexts } from "../texts/en/shell.ts"

export const Starting = () => (
  <div className="starting" role="status" aria-label={shellTexts.loading}>
    {shellTexts.product}
  </div>
)
