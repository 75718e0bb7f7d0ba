/**
 * Arbitrary models and inputs, derived from their schemas, for property tests:
 * all of them valid, most of them odd. Each is a function that takes the members
 * that all values are to have, and gives an `Arbitrary` of Effect, which checks
 * properties and shrinks what breaks them, without a test runner.
 *
 * @since 0.1.0
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
