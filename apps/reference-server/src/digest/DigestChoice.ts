/** How often a user has the digest by mail. */
import { Schema } from "effect"

export const DigestChoice = Schema.Literals(["none", "weekly", "daily"])
export type DigestChoice = typeof DigestChoice.Type
