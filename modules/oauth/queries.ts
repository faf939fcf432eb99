import { sql, type Insertable, type Selectable } from 'kysely'
import { OAUTH_IDENTITIES, OAUTH_PROVIDERS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { OAuthIdentitiesTable, OAuthProviderId, OAuthProvidersTable } from '../../db/tables/index.ts'

export type ProviderRow = Selectable<OAuthProvidersTable>
export type IdentityRow = Selectable<OAuthIdentitiesTable>

export type ProviderView = ProviderRow & { bound_users: number }

const views = (db: Executor) =>
  db
    .selectFrom('oauth_providers')
    .select(OAUTH_PROVIDERS)
    .select(
      sql<number>`(select count(*)::int from oauth_identities
        where oauth_identities.provider_id = oauth_providers.provider_id)`.as('bound_users'),
    )

export const listProviderViews = (db: Executor): Promise<ProviderView[]> =>
  views(db).orderBy('created_at').orderBy('id').execute()

export const findProviderView = (db: Executor, id: string): Promise<ProviderView | undefined> =>
  views(db).where('id', '=', id).executeTakeFirst()

/**
 * Locked until the end of the transaction, so that nothing is linked to it meanwhile and concurrent updates
 * are not lost.
 */
export const lockProvider = (db: Executor, id: string): Promise<ProviderRow | undefined> =>
  db.selectFrom('oauth_providers').select(OAUTH_PROVIDERS).where('id', '=', id).forUpdate().executeTakeFirst()

export const listEnabledProviders = (db: Executor): Promise<ProviderRow[]> =>
  db
    .selectFrom('oauth_providers')
    .select(OAUTH_PROVIDERS)
    .where('enabled', '=', true)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export const findEnabledProvider = (
  db: Executor,
  providerId: OAuthProviderId,
): Promise<ProviderRow | undefined> =>
  db
    .selectFrom('oauth_providers')
    .select(OAUTH_PROVIDERS)
    .where('provider_id', '=', providerId)
    .where('enabled', '=', true)
    .executeTakeFirst()

export const insertProvider = (
  db: Executor,
  { fields, ...row }: Omit<ProviderRow, 'created_at' | 'updated_at'>,
) =>
  db
    .insertInto('oauth_providers')
    .values({ ...row, fields: JSON.stringify(fields) })
    .execute()

export const updateProvider = (db: Executor, id: string, { fields, ...set }: Partial<ProviderRow>) =>
  db
    .updateTable('oauth_providers')
    .set({ ...set, ...(fields && { fields: JSON.stringify(fields) }), updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()

export const deleteProvider = (db: Executor, id: string) =>
  db.deleteFrom('oauth_providers').where('id', '=', id).execute()

export const findIdentity = (
  db: Executor,
  providerId: OAuthProviderId,
  subject: string,
): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('oauth_identities')
    .select(OAUTH_IDENTITIES)
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst()

export const findOwnIdentity = (
  db: Executor,
  userId: string,
  providerId: OAuthProviderId,
): Promise<IdentityRow | undefined> =>
  db
    .selectFrom('oauth_identities')
    .select(OAUTH_IDENTITIES)
    .where('user_id', '=', userId)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()

export const listBindings = (db: Executor, userId: string) =>
  db
    .selectFrom('oauth_identities')
    .innerJoin('oauth_providers', 'oauth_providers.provider_id', 'oauth_identities.provider_id')
    .select(OAUTH_IDENTITIES)
    .select('oauth_providers.name')
    .where('user_id', '=', userId)
    .orderBy('bound_at')
    .orderBy('oauth_identities.id')
    .execute()

/** Throws a violation of `oauth_identities_subject` or `oauth_identities_user`. */
export const insertIdentity = (db: Executor, row: Insertable<OAuthIdentitiesTable>) =>
  db.insertInto('oauth_identities').values(row).execute()

/** The provider's current data about the user. */
export const updateIdentity = (
  db: Executor,
  id: string,
  profile: Pick<IdentityRow, 'display_name' | 'email' | 'email_verified' | 'avatar'>,
) => db.updateTable('oauth_identities').set(profile).where('id', '=', id).execute()

export const deleteIdentity = (db: Executor, id: string) =>
  db.deleteFrom('oauth_identities').where('id', '=', id).execute()
