/**
 * Certificates of receivers, made by openssl: of an authority of their own, or wrong in one point.
 */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

interface Certificate {
  readonly key: string
  readonly cert: string
}

export interface Certificates {
  readonly authority: string
  /** For `receiver.test` and 127.0.0.1. */
  readonly valid: Certificate
  readonly otherName: Certificate
  readonly expired: Certificate
  readonly selfSigned: Certificate
}

const run = promisify(execFile)

/** False, with a printed reason, where openssl is missing and not required. */
export const hasOpenssl = async (): Promise<boolean> => {
  try {
    await run("openssl", ["version"])
    return true
  } catch (cause) {
    if (process.env["REQUIRE_SERVICES"] === "1") throw cause
    console.warn("The tests of TLS to receivers are skipped: openssl is not installed")
    return false
  }
}

const names = "subjectAltName=DNS:receiver.test,IP:127.0.0.1"

export const makeCertificates = async (): Promise<Certificates> => {
  const folder = await mkdtemp(join(tmpdir(), "solar-sites-certificates-"))
  const file = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => run("openssl", args)
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  const read = async (name: string): Promise<Certificate> => ({
    key: await readFile(file(`${name}.key`), "utf8"),
    cert: await readFile(file(`${name}.crt`), "utf8")
  })
  const selfSigned = async (name: string, ...more: ReadonlyArray<string>) => {
    const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.crt`)]
    await openssl("req", "-x509", ...newKey, "-days", "2", "-subj", `/CN=${name}`, ...files, ...more)
    return read(name)
  }
  const signed = async (name: string, extension: string, ...validity: ReadonlyArray<string>) => {
    const request = file(`${name}.csr`)
    await openssl("req", "-new", ...newKey, "-subj", `/CN=${name}`, "-keyout", file(`${name}.key`), "-out", request)
    await writeFile(file(`${name}.ext`), extension)
    const authority = ["-CA", file("authority.crt"), "-CAkey", file("authority.key"), "-CAcreateserial"]
    const files = ["-in", request, "-extfile", file(`${name}.ext`), "-out", file(`${name}.crt`)]
    await openssl("x509", "-req", ...authority, ...files, ...validity)
    return read(name)
  }
  try {
    const { cert: authority } = await selfSigned("authority", "-addext", "keyUsage=critical,keyCertSign")
    return {
      authority,
      valid: await signed("valid", names, "-days", "2"),
      otherName: await signed("other", "subjectAltName=DNS:other.test", "-days", "2"),
      // The end lies a day before the beginning: openssl before 3.4 cannot set a date in the past.
      expired: await signed("expired", names, "-days", "-1"),
      selfSigned: await selfSigned("receiver.test", "-addext", names)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}
