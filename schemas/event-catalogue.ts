import { Type, type Static, type TObject } from '@sinclair/typebox'
import { RecordType } from './record-type.ts'
import { Nullable, Timestamp, Uuid } from './scalars.ts'

export const LEVELS = ['info', 'success', 'warning', 'error'] as const
export type Level = (typeof LEVELS)[number]

/**
 * Who hears of an event: the users it names; all administrators; those who see its domain as a whole or in
 * part; or, for records, those of them who see one of the records, which is then all that they hear of.
 */
export type Audience = 'users' | 'administrators' | 'domain' | 'records'

interface Entry<M extends TObject> {
  level: Level
  audience: Audience
  /** Also goes to those by e-mail who asked for it. */
  mail: boolean
  /** What the event tells, for programs; plain data without secrets. */
  metadata: M
  /** One line, for people. */
  title: (metadata: Static<M>) => string
  /** A sentence or two, for people. */
  content: (metadata: Static<M>) => string
}

const entry = <M extends TObject>(given: Entry<M>) => given

const domain = {
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
}

const Assignment = Type.Object({
  type: Type.Unsafe<'domain' | 'subdomain'>({
    type: 'string',
    enum: ['domain', 'subdomain'],
    examples: ['subdomain'],
  }),
  ...domain,
  subdomainPattern: Type.String({ examples: ['*.dev'] }),
  host: Type.String({ description: 'The pattern joined to the name', examples: ['*.dev.example.com'] }),
  username: Type.String({ description: 'Who has the rights, or asks for them', examples: ['ada'] }),
})

const Expiry = Type.Object({
  ...domain,
  expiresAt: Timestamp,
  daysLeft: Type.Integer({ description: 'Whole days; 0 on the last', examples: [7] }),
  leadDays: Nullable(Type.Integer({ description: 'The lead time that was passed', examples: [7] })),
})

const Records = Type.Object({
  ...domain,
  changeId: Uuid,
  records: Type.Array(
    Type.Object({ id: Uuid, name: Type.String({ examples: ['www'] }), recordType: RecordType }),
  ),
})

const FactorChange = Type.Unsafe<
  | 'totp_enabled'
  | 'totp_disabled'
  | 'email_enabled'
  | 'email_disabled'
  | 'passkey_added'
  | 'passkey_removed'
  | 'recovery_codes_renewed'
  | 'recovery_code_used'
>({ type: 'string', examples: ['totp_enabled'] })
export type FactorChange = Static<typeof FactorChange>

const FACTOR_CHANGES: Record<FactorChange, string> = {
  totp_enabled: 'An authenticator app was added',
  totp_disabled: 'The authenticator app was removed',
  email_enabled: 'Codes by e-mail were turned on',
  email_disabled: 'Codes by e-mail were turned off',
  passkey_added: 'A passkey was added',
  passkey_removed: 'A passkey was removed',
  recovery_codes_renewed: 'New recovery codes were made; the old ones no longer count',
  recovery_code_used: 'A recovery code was used',
}

const account = { username: Type.String({ description: 'Whose account it is', examples: ['ada'] }) }
const address = { ip: Nullable(Type.String({ examples: ['203.0.113.7'] })) }
const NOT_YOU = 'If this was not its holder: change the password and look at the sessions.'
const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** One record by its name, more by their number. */
const these = ({ records, domainName }: Static<typeof Records>) => {
  const [first] = records
  if (records.length !== 1 || !first) return `${records.length} records of ${domainName}`
  return `${first.recordType} record of ${first.name === '@' ? '' : `${first.name}.`}${domainName}`
}

const named = ({ records }: Static<typeof Records>) => {
  const shown = records.slice(0, 5).map(({ name, recordType }) => `${name} ${recordType}`)
  return (
    shown.join(', ') + (records.length > shown.length ? `, and ${records.length - shown.length} more` : '')
  )
}

/** Every event that people and channels hear of. Other signals between the parts are in events.ts. */
export const CATALOGUE = {
  'assignment.create': entry({
    level: 'info',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Rights on ${host} were given`,
    content: ({ username, domainName, subdomainPattern }) =>
      subdomainPattern === '*'
        ? `Rights on the domain ${domainName} were given to ${username}.`
        : `Rights on the names ${subdomainPattern} of ${domainName} were given to ${username}.`,
  }),
  'assignment.delete': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `Rights on ${host} were taken back`,
    content: ({ host, username }) => `The rights of ${username} on ${host} no longer count.`,
  }),
  'assignment.request': entry({
    level: 'info',
    audience: 'administrators',
    mail: true,
    metadata: Assignment,
    title: ({ host, username }) => `${username} asks for rights on ${host}`,
    content: ({ host, username }) =>
      `${username} asks for rights on ${host}; the request waits for the decision of an administrator.`,
  }),
  'assignment.approve': entry({
    level: 'success',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `The request for ${host} was approved`,
    content: ({ host, username }) => `The rights of ${username} on ${host} count from now on.`,
  }),
  'assignment.reject': entry({
    level: 'warning',
    audience: 'users',
    mail: true,
    metadata: Assignment,
    title: ({ host }) => `The request for ${host} was rejected`,
    content: ({ host, username }) =>
      `An administrator rejected the request of ${username} for rights on ${host}.`,
  }),
  'domain.created': entry({
    level: 'success',
    audience: 'domain',
    mail: false,
    metadata: Type.Object(domain),
    title: ({ domainName }) => `${domainName} was registered here`,
    content: ({ domainName }) => `The domain ${domainName} is now managed here.`,
  }),
  'domain.deleted': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object(domain),
    title: ({ domainName }) => `${domainName} was removed here`,
    content: ({ domainName }) => `The domain ${domainName} is no longer managed here.`,
  }),
  'domain.expiring': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Expiry,
    title: ({ domainName, daysLeft }) =>
      daysLeft === 0 ? `${domainName} expires today` : `${domainName} expires in ${days(daysLeft)}`,
    content: ({ domainName, expiresAt }) =>
      `The registration of ${domainName} ends at ${expiresAt}. Renew it at its registrar in time.`,
  }),
  'domain.expired': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Expiry,
    title: ({ domainName }) => `${domainName} has expired`,
    content: ({ domainName, expiresAt }) =>
      `The registration of ${domainName} ended at ${expiresAt}. Renew it at its registrar before somebody else takes it.`,
  }),
  'domain.sync_failed': entry({
    level: 'error',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({ ...domain, error: Type.String({ examples: ['PowerDNS does not answer'] }) }),
    title: ({ domainName }) => `Synchronising ${domainName} failed`,
    content: ({ domainName, error }) => `The records of ${domainName} could not be read: ${error}`,
  }),
  'domain.drift': entry({
    level: 'warning',
    audience: 'domain',
    mail: true,
    metadata: Type.Object({
      ...domain,
      created: Type.Integer({ examples: [1] }),
      updated: Type.Integer({ examples: [0] }),
      deleted: Type.Integer({ examples: [2] }),
      applied: Type.Boolean({ description: 'The records here were made the same', examples: [true] }),
    }),
    title: ({ domainName }) => `${domainName} was changed at its provider`,
    content: ({ domainName, created, updated, deleted, applied }) =>
      `Records of ${domainName} were changed outside: ${created} new, ${updated} changed, ${deleted} gone. ` +
      (applied
        ? 'The records here are now the same.'
        : 'Nothing was changed here: look at it and synchronise.'),
  }),
  'record.created': entry({
    level: 'info',
    audience: 'records',
    mail: false,
    metadata: Records,
    title: (metadata) => `Created: ${these(metadata)}`,
    content: (metadata) => `In ${metadata.domainName}: ${named(metadata)}`,
  }),
  'record.updated': entry({
    level: 'info',
    audience: 'records',
    mail: false,
    metadata: Records,
    title: (metadata) => `Changed: ${these(metadata)}`,
    content: (metadata) => `In ${metadata.domainName}: ${named(metadata)}`,
  }),
  'record.deleted': entry({
    level: 'info',
    audience: 'records',
    mail: false,
    metadata: Records,
    title: (metadata) => `Deleted: ${these(metadata)}`,
    content: (metadata) => `In ${metadata.domainName}: ${named(metadata)}`,
  }),
  // What concerns the safety of an account is mailed by the area itself, whatever the user's settings are.
  'account.password_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object({ ...account, ...address }),
    title: ({ username }) => `The password of ${username} was changed`,
    content: ({ username }) => `The password of the account ${username} was changed. ${NOT_YOU}`,
  }),
  'account.second_factor_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object({ ...account, change: FactorChange }),
    title: ({ username }) => `The second factor of ${username} was changed`,
    content: ({ username, change }) => `Account ${username}: ${FACTOR_CHANGES[change]}. ${NOT_YOU}`,
  }),
  'account.identity_changed': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object({
      ...account,
      providerId: Type.String({ examples: ['oidc'] }),
      change: Type.Unsafe<'bound' | 'unbound'>({
        type: 'string',
        enum: ['bound', 'unbound'],
        examples: ['bound'],
      }),
    }),
    title: ({ username, change }) => `An external identity of ${username} was ${change}`,
    content: ({ username, change, providerId }) =>
      `Account ${username}: an identity of ${providerId} was ${change}. ${NOT_YOU}`,
  }),
  'account.new_sign_in': entry({
    level: 'info',
    audience: 'users',
    mail: false,
    metadata: Type.Object({
      ...account,
      ...address,
      userAgent: Type.String({ examples: ['Mozilla/5.0'] }),
    }),
    title: ({ username }) => `New sign-in to the account ${username}`,
    content: ({ username, ip, userAgent }) =>
      `Somebody signed in to the account ${username} from ${ip ?? 'an unknown address'} with ${userAgent || 'an unknown program'}. ${NOT_YOU}`,
  }),
  'account.locked': entry({
    level: 'warning',
    audience: 'users',
    mail: false,
    metadata: Type.Object({ ...account, ...address }),
    title: ({ username }) => `Signing in to the account ${username} is slowed down`,
    content: ({ username }) =>
      `There were too many failed tries to sign in to the account ${username}, so further ones must wait. Its sessions go on.`,
  }),
  'channel.failed': entry({
    level: 'error',
    audience: 'administrators',
    mail: true,
    metadata: Type.Object({
      channelId: Uuid,
      channel: Type.String({ examples: ['webhook'] }),
      name: Type.String({ examples: ['Operations'] }),
      deliveryId: Uuid,
      event: Type.String({ examples: ['domain.expiring'] }),
      error: Type.String({ examples: ['HTTP status 500'] }),
    }),
    title: ({ name }) => `The channel ${name} does not take messages`,
    content: ({ name, event, error }) =>
      `A message about ${event} could not be delivered by ${name}: ${error}`,
  }),
  // Nobody hears of it but who is reached by the channel that is tried.
  'channel.test': entry({
    level: 'info',
    audience: 'users',
    mail: false,
    metadata: Type.Object({
      channelId: Uuid,
      channel: Type.String({ examples: ['webhook'] }),
      name: Type.String({ examples: ['Operations'] }),
    }),
    title: ({ name }) => `Test of the channel ${name}`,
    content: () => 'An administrator tries whether messages of this channel arrive. This one did.',
  }),
}

export type AnnouncedName = keyof typeof CATALOGUE
export type MetadataOf<N extends AnnouncedName> = Static<(typeof CATALOGUE)[N]['metadata']>

export const ANNOUNCED = Object.keys(CATALOGUE) as AnnouncedName[]

/** What the parts emit for an event of the catalogue. */
export interface Announcement<M> {
  metadata: M
  /** Who did it; null is the service itself. To them it is no news. */
  actorId: string | null
  /** With the audience `users`: who hears of it. */
  userIds?: string[]
}

/** The words of an event, for people. */
export function describeEvent<N extends AnnouncedName>(name: N, metadata: MetadataOf<N>) {
  const { level, title, content } = CATALOGUE[name] as unknown as {
    level: Level
    title: (metadata: MetadataOf<N>) => string
    content: (metadata: MetadataOf<N>) => string
  }
  return { level, title: title(metadata), content: content(metadata) }
}
