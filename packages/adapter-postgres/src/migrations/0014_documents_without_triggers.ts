/**
 * Statements that delete documents list their files themselves, and those that store documents check
 * them by a function instead of triggers: Citus has no triggers with transition tables.
 *
 * The function is volatile, so it sees rows that were committed after the calling statement began. A
 * statement calls it under the lock of the event log. Tables are parameters, since a shard has
 * another name. Instances of the previous version rely on the triggers.
 */
import { quoteText } from "../client/PgSchema.ts"

const checking = `
declare
  failed boolean;
begin
  execute format('select exists (
      select from %s d join %s f using (organisation_id, site_id)
      where d.organisation_id = $1 and d.id = any ($2) and f.document_id = d.id
    )', documents, deleted_files)
    into failed using organisation, inserted;
  if failed then
    raise exception 'a path that is listed for deletion takes no new document (constraint "document_file_deleted")'
      using errcode = 'integrity_constraint_violation', constraint = 'document_file_deleted';
  end if;
  execute format('select 10000 < (select count(*) from (
      select from %s d where d.organisation_id = $1 and d.look_at is not null limit 10001
    ) x)', documents)
    into failed using organisation;
  if failed then
    raise exception 'too many pending documents (constraint "document_pending_maximum")'
      using errcode = 'check_violation', constraint = 'document_pending_maximum';
  end if;
  return true;
end
`

export const sql = (schema: string): string => `
drop trigger document_deleted on ${schema}.document;
drop trigger document_inserted on ${schema}.document;
drop trigger document_pending_inserted on ${schema}.document;
drop trigger document_pending_reopened on ${schema}.document;
drop function ${schema}.list_deleted_files();
drop function ${schema}.refuse_listed_paths();
drop function ${schema}.check_inserted_pending();
drop function ${schema}.check_reopened_pending();

create function ${schema}.check_documents(documents text, deleted_files text, organisation uuid, inserted uuid[])
returns boolean language plpgsql volatile as ${quoteText(checking)};
`
