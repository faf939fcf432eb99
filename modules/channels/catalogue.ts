import { ANNOUNCED, CATALOGUE, type AnnouncedName } from '../../schemas/events/event-catalogue.ts'
import type { ChannelKind, HttpAccess } from './senders/contract.ts'
import { CHANNELS, senderOf } from './senders/registry.ts'

const areaOf = (event: string) => `${event.slice(0, event.indexOf('.'))}.*`

type ChannelEvent = Exclude<AnnouncedName, 'channel.test'>

/** All events but the test, which goes only to the tested channel. */
export const CHANNEL_EVENTS = ANNOUNCED.filter((event): event is ChannelEvent => event !== 'channel.test')

/** Valid `events` of a channel: names, areas (`domain.*`) and `*`. */
export const PATTERNS = [...new Set(['*', ...CHANNEL_EVENTS.map(areaOf), ...CHANNEL_EVENTS])]

/** The patterns that match an event. */
export const patternsOf = (event: AnnouncedName): string[] => ['*', areaOf(event), event]

/** Names of the kinds. */
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
  email: 'Email',
  webhook: 'Webhook',
  web: 'Notifications in the console',
}

/** When each event happens. */
const DESCRIPTIONS: Record<ChannelEvent, string> = {
  'assignment.create': 'Permissions on a domain or part of one were granted',
  'assignment.delete': 'Permissions on a domain or part of one were revoked',
  'assignment.leave': 'A user gave up their permissions on a domain or part of one',
  'assignment.restricted':
    'Permissions on a domain or part of one were restricted by an upgrade of the service',
  'assignment.request': 'A user requested permissions on a domain or part of one',
  'assignment.approve': 'A request for permissions was approved',
  'assignment.reject': 'A request for permissions was rejected',
  'domain.created': 'A domain was added',
  'domain.deleted': 'A domain was removed',
  'domain.overlapped': "A domain that overlaps with another user's domain was added",
  'domain.transfer_offered': 'A domain was offered to another user',
  'domain.transfer_declined': 'An offered domain was declined',
  'domain.transfer_withdrawn': 'A domain offer was withdrawn',
  'domain.transfer_expired': 'A domain offer expired',
  'domain.transferred': 'A domain was transferred to another user',
  'domain.switched': 'A domain was moved to another DNS provider',
  'domain.expiring': 'A domain registration expires soon; once for each reminder lead time',
  'domain.expired': 'A domain registration has expired',
  'domain.sync_failed': 'The records of a domain could not be read from its DNS provider',
  'domain.drift': 'The records of a domain were changed at its DNS provider',
  'domain.drift_enforced': 'Records of a domain were changed at its DNS provider, and are put back',
  'domain.health_changed': 'The health check of a domain found new problems, or found some resolved',
  'domain.mirror_failed': 'Changes no longer reach a mirror of a domain',
  'domain.mirror_behind': 'Changes have waited for a mirror of a domain for 15 minutes',
  'domain.mirror_differs': 'Records are missing or differ at a mirror of a domain',
  'domain.mirror_in_step': 'A mirror of a domain has every change again',
  'record.created': 'Records were created',
  'record.updated': 'Records were changed',
  'record.deleted': 'Records were deleted',
  'change.applied': 'A scheduled change was applied',
  'change.failed': 'A scheduled change was not applied, or only in part',
  'change.unconfirmed': 'Half the time to confirm a change is over',
  'change.reverted': 'A change was reverted because nobody confirmed it',
  'change.not_reverted': 'A change that nobody confirmed could not be reverted, or only in part',
  'change.verification_failed': 'Name servers do not serve a change within ten minutes',
  'change_request.opened': 'A change of records waits for approval',
  'change_request.approved': 'A change request was approved',
  'change_request.rejected': 'A change request was rejected',
  'change_request.applied': 'An approved change request was applied',
  'change_request.failed': 'An approved change request was not applied, or only in part',
  'change_request.outdated': 'An approved change request no longer fits the records',
  'change_request.bypassed': 'Records were changed in an emergency without the required review',
  'failover.switched': 'The checks of a monitor or a user switched to another alternative of an RRset',
  'failover.back': 'An RRset is back at a preferred alternative',
  'failover.failed': 'An RRset is down and was not switched to another alternative',
  'failover.paused': 'A monitor no longer switches, because its records or permissions were changed',
  'operation.finished': 'An operation finished',
  'operation.failed': 'An operation failed or was done only in part',
  'account.password_changed': 'The password of an account was changed',
  'account.second_factor_changed': 'A second factor of an account was added, removed or used up',
  'account.identity_changed': 'An external identity was linked to an account or unlinked',
  'account.new_sign_in': 'A sign-in to an account from a new location',
  'account.token_expiring': 'A personal token expires within a week',
  'account.locked': 'Sign-ins to an account are slowed down after failed attempts',
  'channel.failed': 'A channel does not accept messages',
}

/** The kinds of channels with their fields, and the events they can receive. */
export const channelCatalogue = ({ mail }: Pick<HttpAccess, 'mail'>) => ({
  channels: CHANNELS.map((channel) => ({
    channel,
    name: NAMES[channel],
    available: channel !== 'email' || mail.configured,
    configSchema: senderOf(channel).schema,
  })),
  events: CHANNEL_EVENTS.map((event) => ({
    event,
    level: CATALOGUE[event].level,
    description: DESCRIPTIONS[event],
  })),
})
