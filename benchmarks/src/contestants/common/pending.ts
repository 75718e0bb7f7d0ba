/**
 * The function of the schema that refuses more pending documents than an organisation can have. It is
 * called after the lock of the event sequence.
 */
import { settings } from "./settings.ts"

const table = (name: string): string => `"${settings.schema}".${name}`

/** SQL of the call, up to its last two arguments: the organisation, and the ids of new documents. */
export const checkDocuments = `${table("check_documents")}('${table("document")}', '${table("deleted_file")}'`
