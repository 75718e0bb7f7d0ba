/** Changelogs without commits and dependencies: all packages share one version. */

/** A changeset as an item of a list. */
export const getReleaseLine = ({ summary }) => Promise.resolve(`- ${summary.trim().replace(/\n(?=.)/g, "\n  ")}`)

export const getDependencyReleaseLine = () => Promise.resolve("")
