import { casesOn, onStorage, type PromiseGroup, proofOn, reasons, serverTest } from "./Evidence.ts"

const uploads = (test: string) => serverTest("Uploads", `uploads to the server's own storage > ${test}`)

/** Promises about stored files. */
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
          "StorageEvents",
          "a bucket of Ceph that notifies the server > makes a document uploaded before its upload is answered"
        )
      },
      "a client of the given endpoints alone sees `uploaded`": {
        embedded: uploads("take two files in two steps, and return them unchanged under their names"),
        ceph: serverTest(
          "S3",
          "a server on Postgres and S3 > takes files, finds them on request or by itself, and serves them"
        )
      },
      "a document and its file agree in every order of requests, and no file is left over": {
        embedded: proofOn("storage", "files"),
        ceph: proofOn("storage", "s3")
      }
    }
  }
]
