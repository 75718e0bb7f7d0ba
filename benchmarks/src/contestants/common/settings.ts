/**
 * Settings of the reference server that contestants read.
 */

const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, DATABASE_SCHEMA, DATABASE_URL, S3_BUCKET, S3_ENDPOINT } = process.env

const required = (value: string | undefined, name: string): string => {
  if (value === undefined || value === "") throw new Error(`${name} is not set`)
  return value
}

export const settings = {
  databaseUrl: required(DATABASE_URL, "DATABASE_URL"),
  schema: required(DATABASE_SCHEMA, "DATABASE_SCHEMA"),
  poolSize: 10,
  s3: {
    bucket: required(S3_BUCKET, "S3_BUCKET"),
    endpoint: required(S3_ENDPOINT, "S3_ENDPOINT"),
    region: "us-east-1",
    credentials: {
      accessKeyId: required(AWS_ACCESS_KEY_ID, "AWS_ACCESS_KEY_ID"),
      secretAccessKey: required(AWS_SECRET_ACCESS_KEY, "AWS_SECRET_ACCESS_KEY")
    }
  }
}

export const host = "127.0.0.1"

/** The line that the starting process waits for. */
export const announce = (port: number): void => {
  process.stdout.write(`listens on http://${host}:${port}\n`)
}

/** Closes on the signals of a supervisor. */
export const closeOnSignal = (close: () => Promise<unknown>): void => {
  process.once("SIGTERM", () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1)
    )
  })
}
