import { check, layer } from "@solar-sites/adapter-s3"
import { describe, expect, it } from "vitest"
import { aBucket, optionsFor, runWith, theServer, withoutS3 } from "./Setup.ts"

describe.skipIf(withoutS3)("the check of a running store", () => {
  it("finds nothing wrong with a good one", async () => {
    await expect(runWith(layer(optionsFor(await aBucket())))(check)).resolves.toEqual([])
  })

  it("says that the bucket does not exist", async () => {
    await expect(runWith(layer(optionsFor("no-such-bucket")))(check)).resolves.toEqual([
      { severity: "failure", message: 'The bucket "no-such-bucket" does not exist.' }
    ])
  })

  it("says that the access key is unknown, and that the secret does not fit", async () => {
    const options = optionsFor(await aBucket())
    const { accessKeyId } = theServer()
    const unknown = { ...options, credentials: { accessKeyId: "nobody", secretAccessKey: "secret" } }
    const wrong = { ...options, credentials: { accessKeyId, secretAccessKey: "secret" } }
    await expect(runWith(layer(unknown))(check)).resolves.toEqual([
      { severity: "failure", message: "The store does not know the access key id; check the AWS credentials." }
    ])
    await expect(runWith(layer(wrong))(check)).resolves.toEqual([
      {
        severity: "failure",
        message: "The secret access key does not belong to the access key id; check the AWS credentials."
      }
    ])
  })
})
