/**
 * What a commit of records checks behind the lock of the log of events: absent records and bounds. The query
 * is a statement of its own, so it sees what was committed while the statement waited. Its parameters
 * are the organisation, ids, and an instant. Citus loses the name of a constraint, so that it is in the
 * message too.
 */
import { quoteText } from "../client/PgSchema.ts"

const checking = `
declare
  failed boolean;
begin
  execute query into failed using organisation, ids, at;
  if failed then
    raise exception 'a record or a bound is not as expected (constraint "%")', conflict
      using errcode = 'integrity_constraint_violation', constraint = conflict;
  end if;
  return true;
end
`

export const sql = (schema: string): string => `
create function ${schema}.check_records(query text, organisation uuid, ids uuid[], at timestamptz, conflict text)
returns boolean language plpgsql volatile as ${quoteText(checking)};

-- Files are found by the ids of their documents.
create index deleted_file_by_document on ${schema}.deleted_file (organisation_id, document_id);
`
