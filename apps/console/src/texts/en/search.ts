/** Search of the whole organisation, and keyboard shortcuts. */
export const searchTexts = {
  title: "Search everywhere",
  label: "Search sites, portfolios, documents, pages and actions",
  placeholder: "Name, address or external id",
  results: "Results",
  groups: {
    recent: "Recently opened",
    page: "Pages",
    site: "Sites",
    portfolio: "Portfolios",
    document: "Documents",
    action: "Actions"
  },
  actions: {
    newSite: "New site",
    upload: "Upload files",
    import: "Import sites",
    newPortfolio: "New portfolio",
    invite: "Invite a user"
  },
  searching: "Searching …",
  found: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  noneFound: (text: string) => `Nothing found for “${text}”.`,
  failed: "The search is not complete",
  hint: "Arrow keys choose, Enter opens, Escape closes.",
  keysHint: "Press ? on a page for all keys.",
  keysTitle: "Keyboard shortcuts",
  everywhere: "On every page",
  onDocuments: "In the list of documents",
  followedBy: "then",
  searchKey: "Search everywhere",
  listKey: "Search the list of the page",
  helpKey: "Show these shortcuts",
  goTo: (page: string) => `Go to ${page}`,
  next: "Next document",
  previous: "Previous document",
  open: "Open the document",
  approve: "Approve",
  reject: "Reject",
  undo: "Undo the last approval, for ten seconds",
  select: "Select, in the list to review"
}
