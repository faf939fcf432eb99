import { sql, type Kysely } from 'kysely'

/** More kinds of channels, and which domains a channel covers: an empty list means all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table channel_configs
      drop constraint channel_configs_channel_check,
      add constraint channel_configs_channel_check check (channel in ('chat_a', 'chat_b', 'slack', 'discord',
        'telegram', 'google_chat', 'teams', 'mattermost', 'ntfy', 'email', 'webhook', 'web')),
      add column domain_groups text[] not null default '{}',
      add column domain_tags text[] not null default '{}'
  `.execute(db)
}
