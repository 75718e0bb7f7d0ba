/** The S3 server of the run, and settings of its buckets. */
import { randomUUID } from "node:crypto"
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
import { inject } from "vitest"

interface S3Server {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

declare module "vitest" {
  export interface ProvidedContext {
    s3Server: S3Server | null
  }
}

const server = inject("s3Server")

/** True without a server; the global setup prints the reason. */
export const withoutS3 = server === null

/** Settings of a bucket. */
export const settingsOf = (bucket: string, { accessKeyId, endpoint, region, secretAccessKey }: S3Server) => ({
  S3_BUCKET: bucket,
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey
})

/** A store on a port without a listener. */
export const nowhere: S3Server = {
  endpoint: "http://127.0.0.1:1",
  region: "us-east-1",
  accessKeyId: "somebody",
  secretAccessKey: "made-up"
}

/** The server of this run; call it only where `withoutS3` is false. */
export const theServer = (): S3Server => {
  if (server === null) throw new Error("there is no S3 server in this run")
  return server
}

/** Creates a bucket with a unique name. */
export const aBucket = async (): Promise<string> => {
  const { accessKeyId, endpoint, region, secretAccessKey } = theServer()
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED"
  })
  const bucket = `tests-${randomUUID()}`
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  return bucket
}
