import { configContext } from '../../modules/channels/config.ts'
import { seedContext } from '../../modules/auth/two-factor/totp.ts'
import { secretContext } from '../../modules/oauth/administration/settings.ts'
import { mailContext } from '../../plugins/mail/queue.ts'
import { keyContext } from '../../modules/protocols/dns-update/keys/signing-key.ts'
import { credentialContext } from '../../modules/providers/traffic/connection.ts'

/** A column with values encrypted with SECRET_KEY. The table's primary key is `id`. */
export interface SealedColumn {
  table: string
  column: string
  /** The context that a value was encrypted with, which binds it to its row. */
  context(id: string): string
}

/** All encrypted columns. A column missing here becomes unreadable when an old key is removed. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'provider_configs', column: 'credentials', context: credentialContext },
  { table: 'oauth_providers', column: 'client_secret', context: secretContext },
  { table: 'channel_configs', column: 'config', context: configContext },
  { table: 'users', column: 'totp_secret', context: seedContext },
  { table: 'mails', column: 'content', context: mailContext },
  { table: 'tsig_keys', column: 'secret', context: keyContext },
]
