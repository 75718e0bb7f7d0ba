/**
 * Token of the link that has opened this page; empty without one. The hash of the address holds it
 * and is removed at once, so that history, copies of the address and pictures do not have it.
 */
const isLink = /^\/(invitation|reset|email)$/.test(location.pathname)

export const linkToken: string = isLink ? location.hash.slice(1) : ""

if (linkToken !== "") history.replaceState(null, "", location.pathname)

// Another link in the same tab changes the hash only.
addEventListener("hashchange", () => {
  if (isLink && location.hash !== "") location.reload()
})
