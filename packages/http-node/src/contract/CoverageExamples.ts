/**
 * The values the API reference shows for requirements and coverage.
 */
import { examplePortfolio } from "./Examples.ts"

export const exampleRequirements = {
  requirements: [
    { documentType: "insurance", validityRequired: true, portfolioId: null, expiringWithinDays: 60 },
    {
      documentType: "mcs_certificate",
      validityRequired: false,
      portfolioId: examplePortfolio.id,
      expiringWithinDays: 30
    }
  ],
  version: 3
}
