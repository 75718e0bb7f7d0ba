import {
  type AnyKind,
  documentKind,
  type ListOptions,
  MaximumPageBytes,
  type OrganisationId,
  type Page,
  type Records,
  siteKind
} from "@solar-sites/core"
import { Effect } from "effect"
import { noticesRecords } from "./RecordsBreaking.ts"

const sites = "lists each site of the own organisation in ascending order of id, in pages of any size"
const documents = "lists each document of the own organisation in ascending order of id, in pages of any size"
const ofSite = "lists each document of one site alone"

/** Lists with other options, or with another answer. */
const listing =
  (
    kind: AnyKind,
    options: (given: ListOptions) => ListOptions,
    answer: (page: Page<object>, given: ListOptions) => Page<object> = (page) => page
  ) =>
  ({ list }: Records["Service"]): Partial<Records["Service"]> => ({
    list: (operation, organisationId, of, given) =>
      of === kind
        ? Effect.map(list(operation, organisationId, of, options(given)), (page) => answer(page, given))
        : list(operation, organisationId, of, given)
  })

const same = (given: ListOptions) => given

noticesRecords([
  {
    breakage: "ignores the position of a page",
    replace: listing(siteKind, ({ page, ...given }) => ({ ...given, page: { ...page, after: null } })),
    noticedBy: [sites]
  },
  {
    breakage: "lists the latest records first",
    replace: listing(siteKind, same, ({ hasMore, items }) => ({ hasMore, items: items.toReversed() })),
    noticedBy: [sites]
  },
  {
    breakage: "says that more follow a full page",
    replace: listing(documentKind, same, ({ hasMore, items }, { page }) => ({
      hasMore: hasMore || items.length === page.limit,
      items
    })),
    noticedBy: [documents, ofSite]
  },
  {
    breakage: "lists the records of all sites",
    replace: listing(documentKind, ({ page }) => ({ page })),
    noticedBy: [ofSite]
  },
  {
    breakage: "lists the records of the organisation that was asked for first",
    replace: ({ list }) => {
      let first: OrganisationId | undefined
      return {
        list: (operation, organisationId, ...rest) => {
          first ??= organisationId
          return list(operation, first, ...rest)
        }
      }
    },
    noticedBy: [sites, documents]
  },
  {
    breakage: "reads pages of any number of bytes",
    replace: ({ list }) => ({
      list: (...given) => Effect.provideService(list(...given), MaximumPageBytes, Number.MAX_SAFE_INTEGER)
    }),
    noticedBy: [sites, documents]
  }
])
