import { casesOn, onDatabases, onStorage, type PromiseGroup, proofOn, reasons, serverTest } from "./Evidence.ts"

const elsewhere = { ceph: reasons.files, redis: reasons.redis }

export const recordPromises: ReadonlyArray<PromiseGroup> = [
  {
    title: "Records",
    reasons: elsewhere,
    promises: casesOn(onDatabases, {
      "an organisation reaches its own records only, others' ids are as absent ones":
        "Records > changes and removes a site of the own organisation where another one has the same id",
      "a change of several records is stored whole, with its events, or not at all":
        "Records > writes records of all kinds at once, or none of them and no event when one is stale",
      "no concurrent write is lost; a change of a stale version is refused":
        "Records > commits one of twenty concurrent changes of a site, and one of ten creations, each with its event alone",
      "a bulk of 1,000 is stored whole or not at all":
        "Records > commits changes of 1,000 records, or none of them when the last one is stale",
      "numbers come back as they were sent": "SiteRepository > keeps a capacity to its last digit, in every unit",
      "texts come back as they were sent": "SiteRepository > keeps text exactly as it is",
      "a site is in at most one portfolio; one that loses its portfolio stays, in the same step":
        "Records > leaves no site behind when the portfolio that it refers to is removed at the same time",
      "totals of a portfolio are right across units": "PortfolioRepository > sums capacities as decimals",
      "a list has each record once, in its order, in pages of any size":
        "Records > lists each site of the own organisation in ascending order of id, in pages of any size",
      "searches, filters and orders find what the rules say":
        "SiteRepository > finds and sorts sites as core does (random records 1)",
      "a search ignores case and accents":
        "SiteRepository > finds sites without regard to case and accents, whatever their normal form",
      "an external id is unique in its organisation, among concurrent writes too":
        "Records > commits one of ten concurrent changes that take the same externalId of a site",
      "the work and the size of a page are bounded":
        "SiteRepository > ends pages of large sites early, and lists each site once in any order",
      "an idempotency key takes effect once, among concurrent requests too":
        "IdempotencyStore > claims and ends a key at once as in some order (random steps 1)",
      "an organisation is deleted with everything in it, and only then":
        "OrganisationRepository.delete > deletes no organisation that a site, a portfolio, a key or a webhook belongs to"
    })
  },
  {
    title: "Documents",
    reasons: elsewhere,
    promises: casesOn(onDatabases, {
      "the status of a document changes along its states only, as a compare-and-set":
        "Records > commits one of twenty concurrent changes of a document, and one of ten creations, each with its event alone",
      "revisions are one chain, listed from any of its members":
        "DocumentRepository > lists the chain of each of its members, newest first, in pages of any size",
      "due documents and files are worked off by one of several servers":
        "DocumentRepository > never gives the same document or file to two concurrent claims, and no more than the limit",
      "requirements are replaced as a whole list":
        "Records > commits one of ten concurrent changes of a list with its entries, as a whole",
      "coverage is right on every day":
        "RequirementRepository > computes coverage as core does, on every day (random records 1)",
      "validity that ends is announced once":
        "DocumentRepository > writes each event about the end of validity once, and stores that it was written, in one step"
    })
  },
  {
    title: "Events and webhooks",
    reasons: elsewhere,
    promises: casesOn(onDatabases, {
      "every change has its event, in the order of the commits":
        "Records > numbers the events of concurrent changes in the order of their commits, and shows readers every one",
      "a reader of the feed misses nothing while others write":
        "EventRepository > misses nothing for a reader that goes on from its last event, while others write",
      "events are kept for their time, and deleted afterwards":
        "EventRepository > deletes the oldest events before an instant, up to the limit, and keeps the others",
      "a webhook gets each event once while several servers deliver":
        "WebhookQueue > delivers each event once to a webhook while instances dispatch and events are written",
      "an attempt that ends without an outcome is made again":
        "WebhookQueue > gives each due delivery to one of several claims at once, and to a later one when the claim has ended"
    })
  },
  {
    title: "Callers who are limited to portfolios",
    reasons: elsewhere,
    promises: casesOn(onDatabases, {
      "sites outside are absent":
        "SiteRepository > saves, deletes and lists sites within portfolios as core does (random steps 1)",
      "documents outside are absent":
        "DocumentRepository > changes, deletes and lists documents within portfolios as core does (random steps 1)",
      "portfolios, coverage and events outside are absent":
        "PortfolioRepository > moves sites, and lists portfolios, coverage and events within portfolios as core does (random steps 1)"
    })
  }
]

const uploads = (test: string) => serverTest(`Uploads: uploads to the server's own storage > ${test}`)

export const filePromises: ReadonlyArray<PromiseGroup> = [
  {
    title: "Files",
    reasons: { postgres: reasons.database, citus: reasons.database, pgbouncer: reasons.database, redis: reasons.redis },
    promises: {
      ...casesOn(onStorage, {
        "an upload address is good for its time and no longer": "refuses an upload after its address has lapsed",
        "a second upload never replaces the first":
          "accepts one of twelve concurrent uploads, and keeps that one's content",
        "an upload has the length that was declared": "refuses another length than the declared one",
        "an upload has the media type that was declared": "refuses another media type than the declared one",
        "an address with any change is refused": "refuses a token with any part changed or removed",
        "an address reaches no file of another organisation": "signs nothing that reaches another organisation's files",
        "a download is an attachment under its original name":
          "returns a file as an attachment with its original name, for any name"
      }),
      "the service learns of an arrival from the storage": {
        embedded: uploads("set the cover image of the site"),
        ceph: serverTest(
          "StorageEvents: a bucket of Ceph that notifies the server > makes a document uploaded before its upload is answered"
        )
      },
      "a client of the given endpoints alone sees `uploaded`": {
        embedded: uploads("take two files in two steps, and return them unchanged under their names"),
        ceph: serverTest(
          "S3: a server on Postgres and S3 > takes files, finds them on request or by itself, and serves them"
        )
      },
      "a document and its file agree in every order of requests, and no file is left over": {
        embedded: proofOn("storage", "files"),
        ceph: proofOn("storage", "s3")
      }
    }
  }
]
