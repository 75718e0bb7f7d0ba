/**
 * The minimum of S3 that a starting server needs: an empty bucket. Signing sends no request.
 */
import { createServer } from "node:http"
import { type Service, startHttp } from "./http.ts"

export const bucket = "solar-documents"

const listing = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix></Prefix>
<KeyCount>0</KeyCount><MaxKeys>1</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>`

export const startObjectStore = (): Promise<Service> =>
  startHttp(
    createServer(({ method, url = "" }, response) => {
      if (method === "GET" && url.includes("list-type=2"))
        response.setHeader("content-type", "application/xml").end(listing)
      else response.writeHead(404).end()
    })
  )
