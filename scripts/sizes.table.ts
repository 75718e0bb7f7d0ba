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
  "packages/adapter-postgres": { javascript: 324, gzipped: 84, packed: 380 },
  "packages/adapter-redis": { javascript: 17, gzipped: 6, packed: 28 },
  "packages/adapter-s3": { javascript: 36, gzipped: 12, packed: 60 },
  "packages/core": { javascript: 412, gzipped: 104, packed: 612 },
  "packages/http-node": { javascript: 334, gzipped: 86, packed: 424 },
  "packages/testing": { javascript: 424, gzipped: 96, packed: 490 }
}

/** The client for browsers, minified, with its dependencies. The documentation states these. */
export const clientBudget: Omit<Budget, "packed"> = { javascript: 11, gzipped: 5 }
