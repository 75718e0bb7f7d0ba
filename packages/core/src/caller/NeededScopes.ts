/**
 * The table of scopes: what each operation of a caller needs (specification, section 13). Writing
 * does not include reading; a write returns the resource all the same.
 */
import type { ApiScope } from "./ApiScope.ts"

/**
 * Scopes that an operation needs: `always`, and `byChange` for the change that is its second or only
 * argument, over HTTP its body.
 */
export interface NeededScopes<in Change = never> {
  readonly always: ReadonlyArray<ApiScope>
  readonly byChange?: (change: Change) => ReadonlyArray<ApiScope>
}

const need = (...always: ReadonlyArray<ApiScope>) => ({ always })

interface SiteChange {
  readonly portfolioId?: unknown
}

interface BulkChange {
  readonly mode: "create" | "upsert"
  readonly sites: ReadonlyArray<SiteChange>
}

// A new site without a portfolio moves nothing.
const isPut = ({ portfolioId }: SiteChange): boolean => portfolioId !== undefined && portfolioId !== null
const isMoved = ({ portfolioId }: SiteChange): boolean => portfolioId !== undefined

const ifMoving = (moves: boolean): ReadonlyArray<ApiScope> => (moves ? ["portfolios:write"] : [])

interface DocumentChange {
  readonly status?: string
}

const metadata = ["filename", "documentType", "note", "validFrom", "validUntil"]
const decisions = ["approved", "completed", "failed"]

const byDocumentChange = (change: DocumentChange): ReadonlyArray<ApiScope> => {
  if (change.status === undefined || !decisions.includes(change.status)) return ["documents:write"]
  const hasMetadata = metadata.some((member) => Object.hasOwn(change, member))
  return hasMetadata ? ["documents:write", "documents:approve"] : ["documents:approve"]
}

/** By service and method. A method of a rule service without an entry does not compile. */
export const neededScopes = {
  sites: {
    create: { ...need("sites:write"), byChange: (site: SiteChange) => ifMoving(isPut(site)) },
    bulk: {
      ...need("sites:write"),
      byChange: ({ mode, sites }: BulkChange) => ifMoving(sites.some(mode === "upsert" ? isMoved : isPut))
    },
    get: need("sites:read"),
    list: need("sites:read"),
    update: { ...need("sites:write"), byChange: (change: SiteChange) => ifMoving(isMoved(change)) },
    delete: need("sites:write")
  },
  portfolios: {
    create: need("portfolios:write"),
    createMany: need("portfolios:write"),
    get: need("portfolios:read"),
    list: need("portfolios:read"),
    listWithSites: need("portfolios:read", "sites:read"),
    streamWithSites: need("portfolios:read", "sites:read"),
    update: need("portfolios:write"),
    delete: need("portfolios:write"),
    addSites: need("portfolios:write"),
    removeSites: need("portfolios:write")
  },
  documents: {
    issueUploads: need("documents:write"),
    reissueUpload: need("documents:write"),
    get: need("documents:read"),
    list: need("documents:read"),
    listRevisions: need("documents:read"),
    changeStatus: { ...need(), byChange: byDocumentChange },
    downloadUrl: need("documents:read"),
    delete: need("documents:write")
  },
  requirements: {
    get: need("requirements:read"),
    replace: need("requirements:write")
  },
  coverage: {
    list: need("documents:read"),
    summary: need("documents:read")
  },
  events: {
    list: need("events:read")
  },
  webhooks: {
    create: need("webhooks:write"),
    get: need("webhooks:read"),
    list: need("webhooks:read"),
    update: need("webhooks:write"),
    delete: need("webhooks:write"),
    rotateSecret: need("webhooks:write"),
    test: need("webhooks:write"),
    listDeliveries: need("webhooks:read"),
    retry: need("webhooks:write")
  },
  // Refused to every caller with scopes.
  apiKeys: {
    create: need(),
    get: need(),
    list: need(),
    delete: need(),
    rotate: need(),
    inUse: need(),
    accessInUse: need()
  },
  system: {
    me: need()
  }
} as const
