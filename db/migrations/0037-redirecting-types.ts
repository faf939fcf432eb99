import { sql, type Kysely } from 'kysely'

/**
 * NS, DNAME, DS, CDS, CDNSKEY and CSYNC require rights on a name and everything below it, and at the apex are
 * reserved for the owner. Assignments that list these types for less lose them; the delegate and the owner
 * are notified.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db)
}

/** Whether assignment `other` covers everything below the pattern of `own`. */
const COVERS_BELOW = `(other.pattern in ('*', '*.' || own.pattern) or (other.pattern like '*.%'
  and right(own.pattern, length(other.pattern) - 1) = substr(other.pattern, 2)))`

const COUNTS = (table: string) =>
  `${table}.permission = 'write' and (${table}.expires_at is null or ${table}.expires_at > now())`

const STATEMENT = `
  with lost as (
    select own.id, own.record_types as before,
      array(
        select type from unnest(own.record_types) with ordinality as named (type, place)
        where type in ('NS', 'DNAME', 'DS', 'CDS', 'CDNSKEY', 'CSYNC') and case own.pattern
          -- Below the apex it goes on; DS was never at the apex.
          when '*' then type <> 'DS'
          when '@' then true
          else not exists (
            select from assignments as other
            where other.user_id = own.user_id and other.domain_id = own.domain_id and ${COUNTS('other')}
              and (other.record_types is null or type = any(other.record_types)) and ${COVERS_BELOW}
          ) end
        order by place
      ) as types
    from assignments as own
    where ${COUNTS('own')} and own.record_types is not null and own.pattern not like '*.%'
  ), kept as (
    select lost.id, array(select type from unnest(before) with ordinality as named (type, place)
      where type <> all(types) order by place) as types
    from lost
  ), updated as (
    -- Who may change nothing any more still sees the names.
    update assignments set
      permission = case when cardinality(kept.types) = 0 then 'read' else 'write' end,
      record_types = nullif(kept.types, '{}')
    from lost join kept on kept.id = lost.id
    where assignments.id = lost.id and assignments.pattern <> '*' and cardinality(lost.types) > 0
    returning assignments.id, assignments.permission, assignments.record_types
  ), told as (
    select lost.id, lost.before, lost.types, own.user_id, own.pattern, users.username, domains.id as domain_id,
      domains.owner_id, domains.name, domains.unicode_name,
      case when own.pattern in ('*', '@') then '' else own.pattern || '.' end as host
    from lost
    join assignments as own on own.id = lost.id
    join users on users.id = own.user_id
    join domains on domains.id = own.domain_id
    where cardinality(lost.types) > 0
  ), audited as (
    insert into audit (id, actor_id, actor_name, action, target_type, target_id, target_name, before, after)
    select gen_random_uuid(), null, 'system', 'assignment.updated', 'assignment', told.id::text, host || name,
      jsonb_build_object('username', username, 'permission', 'write', 'recordTypes', told.before),
      jsonb_build_object('username', username, 'permission', updated.permission, 'recordTypes', updated.record_types)
    from told join updated on updated.id = told.id
  ), listed as (
    update domain_lists set version = version + 1 where viewer in (select user_id from told)
  )
  insert into events (id, name, payload, domain_id)
  select gen_random_uuid(), 'assignment.restricted', jsonb_build_object(
    'actorId', null,
    'userIds', jsonb_build_array(user_id, owner_id),
    'metadata', jsonb_build_object(
      'type', case pattern when '*' then 'domain' else 'subdomain' end,
      'domainId', domain_id, 'domainName', name, 'unicodeName', unicode_name,
      'subdomainPattern', pattern, 'host', host || name, 'unicodeHost', host || unicode_name,
      'username', username, 'recordTypes', to_jsonb(types))), domain_id
  from told`
