/**
 * What each package may come to, in kB of 1024 bytes: its JavaScript, the same
 * gzipped, and the tarball people download. `build` fails above that; whoever
 * raises a figure says in the commit what it buys.
 */
export interface Budget {
  readonly javascript: number
  readonly gzipped: number
  readonly packed: number
}

export const budgets: Readonly<Record<string, Budget>> = {
  "packages/adapter-filesystem": { javascript: 36, gzipped: 11, packed: 62 },
  "packages/adapter-postgres": { javascript: 198, gzipped: 50, packed: 222 },
  "packages/adapter-redis": { javascript: 17, gzipped: 6, packed: 28 },
  "packages/adapter-s3": { javascript: 24, gzipped: 8, packed: 42 },
  "packages/core": { javascript: 154, gzipped: 40, packed: 256 },
  "packages/http-node": { javascript: 275, gzipped: 70, packed: 345 },
  "packages/testing": { javascript: 375, gzipped: 75, packed: 345 }
}

/** The client as a browser loads it: minified, with all that it needs. The documentation promises these. */
export const clientBudget: Omit<Budget, "packed"> = { javascript: 10, gzipped: 4.5 }
