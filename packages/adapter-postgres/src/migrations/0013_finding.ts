/**
 * Search without case and accents, and orders of lists.
 *
 * `fold` is `foldText` of the core, from the same table. It depends on no locale and no version of
 * Unicode. `search` holds the searched texts of a row, one per line. Its first line is the folded
 * name, by which lists are sorted.
 */
import { foldings } from "@solar-sites/core"
import { quoteText } from "../client/PgSchema.ts"

const character = (): string => `
  select coalesce(${quoteText(JSON.stringify(Object.fromEntries(foldings)))}::jsonb ->> value, case
    when ascii(value) not between 44032 and 55203 then value
    else chr(4352 + (ascii(value) - 44032) / 588) || chr(4449 + (ascii(value) - 44032) % 588 / 28)
      || case (ascii(value) - 44032) % 28 when 0 then '' else chr(4519 + (ascii(value) - 44032) % 28) end
  end)
`

// Texts of ASCII cost a microsecond. In other texts of the Latin script few characters are replaced,
// which takes half the time of folding all of them.
const folding = (schema: string): string => `
declare
  folded text := lower(value collate "C");
  letter text;
begin
  if octet_length(value) = char_length(value) then
    return folded;
  end if;
  if octet_length(value) - char_length(value) > 8 then
    return (
      select string_agg(${schema}.fold_character(c), '' order by n)
      from string_to_table(folded, null) with ordinality as t (c, n)
    );
  end if;
  for letter in select m[1] from regexp_matches(folded, '[^\\x01-\\x7f]', 'g') m loop
    folded := replace(folded, letter, ${schema}.fold_character(letter));
  end loop;
  return folded;
end
`

const search = (schema: string, name: string, ...others: ReadonlyArray<string>): string => {
  const texts = [name, ...others.map((column) => `coalesce(E'\\n' || ${column}, '')`)]
  return `add column search text collate "C" not null generated always as (${schema}.fold(${texts.join(" || ")})) stored`
}

export const sql = (schema: string): string => `
create function ${schema}.fold_character(value text) returns text language sql immutable parallel safe
as ${quoteText(character())};
create function ${schema}.fold(value text) returns text language plpgsql immutable strict parallel safe
as ${quoteText(folding(schema))};

alter table ${schema}.portfolio ${search(schema, "name", "external_id")};
alter table ${schema}.site ${search(schema, "site_name", "address", "external_id")};
alter table ${schema}.document ${search(schema, "filename", "note")};

-- A search reads all sites of an organisation from this index alone. Longer texts do not fit into one.
create index site_search on ${schema}.site (organisation_id, id) include (search) where octet_length(search) <= 2500;
create index site_search_long on ${schema}.site (organisation_id, id) where octet_length(search) > 2500;
`
