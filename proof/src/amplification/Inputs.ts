/**
 * The largest legal inputs, and the ones that make most of few bytes.
 */
import type { Case } from "./Case.ts"
import { documentCases } from "./DocumentInputs.ts"
import { otherCases } from "./OtherInputs.ts"
import { portfolioCases } from "./PortfolioInputs.ts"
import { siteCases } from "./SiteInputs.ts"

export const cases: ReadonlyArray<Case> = [...siteCases, ...portfolioCases, ...documentCases, ...otherCases]
