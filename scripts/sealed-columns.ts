import { configContext } from '../modules/channels/config.ts'
import { seedContext } from '../modules/auth/two-factor/totp.ts'
import { secretContext } from '../modules/oauth/administration/settings.ts'
import { mailContext } from '../plugins/mail/queue.ts'
import { credentialContext } from '../modules/providers/traffic/connection.ts'

/** A column whose values are sealed with SECRET_KEY. Its table's key is `id`. */
export interface SealedColumn {
  table: string
  column: string
  /** What binds a value to its row: the one that it was sealed with. */
  context(id: string): string
}

/** All there are: what is missing here becomes unreadable when an old key is thrown away. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'provider_configs', column: 'credentials', context: credentialContext },
  { table: 'oauth_providers', column: 'client_secret', context: secretContext },
  { table: 'channel_configs', column: 'config', context: configContext },
  { table: 'users', column: 'totp_secret', context: seedContext },
  { table: 'mails', column: 'content', context: mailContext },
]
