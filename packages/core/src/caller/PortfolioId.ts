/**
 * Id of a portfolio.
 */
import { Schema } from "effect"
import { Uuid } from "../input/Uuid.ts"

export const PortfolioId = Uuid.pipe(Schema.brand("PortfolioId"))
export type PortfolioId = typeof PortfolioId.Type
