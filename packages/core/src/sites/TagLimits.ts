/** Limits of tags. */

/** Most tags of a site. */
export const maximumTags = 20

/** Most sites of one change of tags: they are loaded and changed in one step. */
export const maximumTaggedSites = 100
