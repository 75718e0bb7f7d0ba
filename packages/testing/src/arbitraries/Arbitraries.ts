/**
 * Arbitrary models and inputs for property tests, derived from their schemas: always valid, often
 * unusual. Each is a function that takes fixed members and returns an `Arbitrary` of Effect, which
 * checks and shrinks without a test runner.
 */
export {
  createOrganisation,
  createPortfolio,
  createPortfolios,
  createSite,
  type InputArbitrary,
  issueUploads,
  updateOrganisation,
  updatePortfolio,
  updateSite,
  uploadFile
} from "./Inputs.ts"
export { apiKey, document, organisation, portfolio, site } from "./Models.ts"
