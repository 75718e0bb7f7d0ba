import { onStorage, type PromiseGroup, proofOn, reasons, serverTest } from "./Evidence.ts"

const uploads = (test: string) =>
  serverTest("Uploads.integration.test", `uploads to the server's own storage > ${test}`)

/** Promises about stored files. */
export const filePromises: ReadonlyArray<PromiseGroup> = [
  {
    title: "Files",
    reasons: { postgres: reasons.database, citus: reasons.database, pgbouncer: reasons.database, redis: reasons.redis },
    promises: [
      {
        promise: "an upload address is good for its time and no longer",
        cells: onStorage("refuses an upload after its address has lapsed")
      },
      {
        promise: "a second upload never replaces the first",
        cells: onStorage("accepts one of twelve concurrent uploads, and keeps that one's content")
      },
      {
        promise: "an upload has the length that was declared",
        cells: onStorage("refuses another length than the declared one")
      },
      {
        promise: "an upload has the media type that was declared",
        cells: onStorage("refuses another media type than the declared one")
      },
      {
        promise: "an address with any change is refused",
        cells: onStorage("refuses a token with any part changed or removed")
      },
      {
        promise: "an address reaches no file of another organisation",
        cells: onStorage("signs nothing that reaches another organisation's files")
      },
      {
        promise: "a download is an attachment under its original name",
        cells: onStorage("returns a file as an attachment with its original name, for any name")
      },
      {
        promise: "the service learns of an arrival from the storage",
        cells: {
          embedded: uploads("set the cover image of the site"),
          ceph: serverTest(
            "StorageEvents.integration.test",
            "a bucket of Ceph that notifies the server > makes a document uploaded before its upload is answered"
          )
        }
      },
      {
        promise: "a client of the given endpoints alone sees `uploaded`",
        cells: {
          embedded: uploads("take two files in two steps, and return them unchanged under their names"),
          ceph: serverTest(
            "S3.integration.test",
            "a server on Postgres and S3 > takes files, finds them on request or by itself, and serves them"
          )
        }
      },
      {
        promise: "a document and its file agree in every order of requests, and no file is left over",
        cells: { embedded: proofOn("storage", "files"), ceph: proofOn("storage", "s3") }
      }
    ]
  }
]
