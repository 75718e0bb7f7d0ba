/**
 * Maximum sizes in kB of 1024 bytes: JavaScript, gzipped JavaScript, tarball. `build` fails above
 * them. A commit that raises a figure states the reason.
 */
export interface Budget {
  readonly javascript: number
  readonly gzipped: number
  readonly packed: number
}

export const budgets: Readonly<Record<string, Budget>> = {
  "packages/adapter-filesystem": { javascript: 36, gzipped: 11, packed: 62 },
  "packages/adapter-postgres": { javascript: 344, gzipped: 92, packed: 1_052 },
  "packages/adapter-redis": { javascript: 17, gzipped: 6, packed: 28 },
  "packages/adapter-s3": { javascript: 36, gzipped: 12, packed: 60 },
  "packages/core": { javascript: 436, gzipped: 110, packed: 704 },
  "packages/http-node": { javascript: 334, gzipped: 88, packed: 436 },
  "packages/testing": { javascript: 396, gzipped: 90, packed: 424 }
}

/** What the console loads, in each language, before its list of sites shows rows. */
export const consoleBudget: Pick<Budget, "gzipped"> = { gzipped: 180 }

/** The client for browsers, minified, with its dependencies. The documentation states these. */
export const clientBudget: Omit<Budget, "packed"> = { javascript: 11, gzipped: 5 }
