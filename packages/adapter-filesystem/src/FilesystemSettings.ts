/** Environment variables of the folder (specification, section 9). */
import { baseAddress, dataDirectory } from "@solar-sites/core/options"
import { Config } from "effect"

/** `DATA_DIR`, and `PUBLIC_URL`, which is required. */
export const settings = {
  dataDirectory,
  publicUrl: Config.schema(baseAddress("https://solar.example.com"), "PUBLIC_URL")
}
