import { CATALOGUE } from '../../schemas/events/event-catalogue.ts'
import { TOLD, type ToldName } from './events.ts'
import type { ChannelKind, HttpAccess } from './senders/contract.ts'
import { CHANNELS, senderOf } from './senders/registry.ts'

/** What people call each kind. */
const NAMES: Record<ChannelKind, string> = {
  chat_a: 'DingTalk',
  chat_b: 'Feishu / Lark',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  google_chat: 'Google Chat',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  ntfy: 'ntfy',
  email: 'E-mail',
  webhook: 'Webhook',
  web: 'People here',
}

/** When each event is told. */
const SENTENCES: Record<ToldName, string> = {
  'assignment.create': 'Rights on a domain or a part of one were given',
  'assignment.delete': 'Rights on a domain or a part of one were taken back',
  'assignment.leave': 'Somebody gave up their rights on a domain or a part of one',
  'assignment.restricted':
    'Rights on a domain or a part of one were restricted by a new version of the service',
  'assignment.request': 'Somebody asks for rights on a domain or a part of one',
  'assignment.approve': 'A request for rights was approved',
  'assignment.reject': 'A request for rights was rejected',
  'domain.created': 'A domain was registered here',
  'domain.deleted': 'A domain was removed here',
  'domain.overlapped': 'A name that overlaps with a domain of another user was registered',
  'domain.transfer_offered': 'A domain was offered to another user',
  'domain.transfer_declined': 'An offered domain was declined',
  'domain.transfer_withdrawn': 'The offer of a domain was withdrawn',
  'domain.transfer_expired': 'The offer of a domain expired',
  'domain.transferred': 'A domain was given to another user',
  'domain.switched': 'A domain was moved to another provider',
  'domain.expiring': 'The registration of a domain ends soon: once for each reminder lead time',
  'domain.expired': 'The registration of a domain has ended',
  'domain.sync_failed': 'The records of a domain could not be read from its provider',
  'domain.drift': 'The records of a domain were changed at its provider',
  'record.created': 'Records were created',
  'record.updated': 'Records were changed',
  'record.deleted': 'Records were deleted',
  'operation.finished': 'A large change of records was done',
  'operation.failed': 'A large change of records was not done, or only in part',
  'account.password_changed': 'The password of an account was changed',
  'account.second_factor_changed': 'A second factor of an account was added, removed or used up',
  'account.identity_changed': 'An external identity was bound to an account, or unbound',
  'account.new_sign_in': 'Somebody signed in to an account from a new place',
  'account.token_expiring': 'A personal token ends within a week',
  'account.locked': 'Signing in to an account is slowed down after failed tries',
  'channel.failed': 'A channel does not take messages',
}

/** The kinds of channels with the fields of each, and the events that they can be told of. */
export const channelCatalogue = ({ mail }: Pick<HttpAccess, 'mail'>) => ({
  channels: CHANNELS.map((channel) => ({
    channel,
    name: NAMES[channel],
    available: channel !== 'email' || mail.configured,
    configSchema: senderOf(channel).schema,
  })),
  events: TOLD.map((event) => ({ event, level: CATALOGUE[event].level, description: SENTENCES[event] })),
})
