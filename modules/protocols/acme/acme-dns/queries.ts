import { sql, type Insertable, type Selectable } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import type {
  AcmeRegistrationsTable,
  TokenPermission,
  TokenRestrictions,
} from '../../../../db/tables/index.ts'
import { tokenLives, type Principal } from '../../../../plugins/security/access/index.ts'
import type { ChallengePlace } from '../queries.ts'

/** A registration with the current state of its user and of the token or session that created it. */
export type Registration = ChallengePlace &
  Pick<
    Selectable<AcmeRegistrationsTable>,
    'id' | 'subdomain' | 'allow_from' | 'user_id' | 'token_id' | 'session_id' | 'secret_hash'
  > & {
    provider_id: string
    username: string
    role: Principal['role']
    token_name: string | null
    token_suffix: string | null
    permissions: TokenPermission[] | null
    restrictions: TokenRestrictions | null
  }

/** Returns false if the user already has `limit` registrations. */
export async function insertRegistration(
  db: Executor,
  row: Insertable<AcmeRegistrationsTable>,
  limit: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into acme_registrations (id, user_id, token_id, session_id, domain_id, name, subdomain, secret_hash,
      allow_from)
    select ${row.id}::uuid, ${row.user_id}::uuid, ${row.token_id}::uuid, ${row.session_id}::uuid,
      ${row.domain_id}::uuid, ${row.name}, ${row.subdomain}, ${row.secret_hash}::bytea, ${row.allow_from}::text[]
    where (select count(*) from acme_registrations where user_id = ${row.user_id}) < ${limit}
  `.execute(db)
  return numAffectedRows === 1n
}

/** Returns the registration if its user is active and its token or session still valid. */
export const findRegistration = (
  db: Executor,
  id: string,
  maxTokenDays: number | null,
): Promise<Registration | undefined> =>
  db
    .selectFrom('acme_registrations as registration')
    .innerJoin('users', 'users.id', 'registration.user_id')
    .innerJoin('domains', 'domains.id', 'registration.domain_id')
    .leftJoin('personal_tokens as token', 'token.id', 'registration.token_id')
    .leftJoin('sessions as session', 'session.id', 'registration.session_id')
    .select(['registration.id', 'registration.subdomain', 'registration.allow_from', 'registration.user_id'])
    .select(['registration.token_id', 'registration.session_id', 'registration.secret_hash'])
    .select('registration.name as host')
    .select(['domains.id as domainId', 'domains.name as domainName', 'domains.provider_id'])
    .select(['token.name as token_name', 'token.token_suffix'])
    .select(['users.username', 'users.role', 'token.permissions', 'token.restrictions'])
    .where('registration.id', '=', id)
    .where('users.disabled_at', 'is', null)
    .where(tokenLives(maxTokenDays, 'token'))
    .where((eb) => eb.or([eb('session.id', 'is', null), eb('session.expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()

/** Stores the latest value; it and the previous one are kept. */
export const rememberValue = (db: Executor, id: string, value: string) =>
  db
    .updateTable('acme_registrations')
    .set({
      last_used_at: sql<Date>`now()`,
      recent_values: sql<string[]>`(array_remove(recent_values, ${value}) || ${value}::text)
        [greatest(cardinality(array_remove(recent_values, ${value})), 1):]`,
    })
    .where('id', '=', id)
    .execute()

/** Returns ids of TXT records of the name whose value is no longer kept. */
export async function findOutdated(db: Executor, { id }: Pick<Registration, 'id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('acme_registrations as registration')
    .innerJoin('records', (join) =>
      join
        .onRef('records.domain_id', '=', 'registration.domain_id')
        .onRef('records.name', '=', 'registration.name'),
    )
    .select('records.id')
    .where('registration.id', '=', id)
    .where('records.type', '=', 'TXT')
    .where('records.deleting', '=', false)
    .where(sql<boolean>`records.value <> all(recent_values)`)
    .execute()
  return rows.map((row) => row.id)
}

/** Returns the registrations of the caller, or of their token, oldest first. */
export const registrationsOf = (db: Executor, { userId, token }: Principal) =>
  db
    .selectFrom('acme_registrations as registration')
    .innerJoin('domains', 'domains.id', 'registration.domain_id')
    .select(['registration.id', 'registration.subdomain', 'allow_from', 'token_id', 'last_used_at'])
    .select(['registration.created_at', 'registration.name', 'domains.id as domain_id'])
    .select('domains.name as domain_name')
    .where('user_id', '=', userId)
    .$if(token !== null, (query) => query.where('token_id', '=', token?.id ?? ''))
    .orderBy('registration.created_at')
    .orderBy('registration.id')
    .execute()

/** Deletes a registration of the caller, or of their token. */
export const deleteRegistration = (db: Executor, { userId, token }: Principal, id: string) =>
  db
    .deleteFrom('acme_registrations as registration')
    .using('domains')
    .whereRef('domains.id', '=', 'registration.domain_id')
    .where('registration.id', '=', id)
    .where('registration.user_id', '=', userId)
    .$if(token !== null, (query) => query.where('registration.token_id', '=', token?.id ?? ''))
    .returning(['registration.name', 'domains.name as domain_name', 'domains.id as domain_id'])
    .executeTakeFirst()
