import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Domain, Schemas } from '../../../typescript/index.ts'
import { findDomain } from '../../../domain-names.ts'
import { printable } from '../../../printable.ts'
import { count, given, repeated, seconds } from '../../options.ts'
import type { Session } from '../../session.ts'

interface SettingsOptions {
  group?: string
  tag?: string[]
  withoutTags?: boolean
  notes?: string
  defaultTtl?: number
  syncEvery?: number
  remind?: number[]
  review?: Schemas['ReviewPolicy']
  reviewExempt?: Schemas['ReviewExemption'][]
  verify?: Schemas['Verify']
  drift?: Schemas['DriftPolicy']
  checkExpiry?: boolean
}

/** 0: never, because commander makes a null an empty text. */
function minutesOrNever(text: string): number {
  return text === 'never' ? 0 : count(text)
}

function days(text: string, before: number[] = []): number[] {
  if (!/^\d{1,3}$/.test(text)) throw new InvalidArgumentError('Give a number of days.')
  return [...before, Number(text)]
}

/** Adds `domains settings`, which shows and changes what belongs to the domain itself. */
export function addDomainSettings(domains: Command, session: Session): void {
  domains
    .command('settings DOMAIN')
    .description('show or change the settings of a domain; only those given are changed')
    .option('--group <GROUP>', 'group; "" for none')
    .option('--tag <TAG>', 'replaces the tags; can be given several times', repeated)
    .option('--without-tags', 'removes all tags')
    .option('--notes <TEXT>', 'notes; "" for none')
    .option('--default-ttl <SECONDS>', 'TTL of records created without one', seconds)
    .option('--sync-every <MINUTES>', 'automatic sync this often; "never" for none', minutesOrNever)
    .option('--remind <DAYS>', 'reminder before it expires; can be given several times', days)
    .option('--check-expiry', 'look up when it expires')
    .option('--no-check-expiry', "don't look up when it expires")
    .addOption(
      new Option('--review <POLICY>', 'whose changes need an approval').choices([
        'none',
        'members',
        'everyone',
      ]),
    )
    .addOption(
      new Option('--review-exempt <ORIGIN>', 'origin whose changes need none; can be given several times')
        .choices(['ddns', 'acme', 'external-dns'])
        .argParser(repeated),
    )
    .addOption(
      new Option('--verify <POLICY>', 'ask the name servers after each change').choices([
        'off',
        'warn',
        'require',
      ]),
    )
    .addOption(
      new Option('--drift <POLICY>', 'what syncs do with changes made elsewhere').choices([
        'adopt',
        'alert',
        'enforce',
      ]),
    )
    .action(async (name: string, options: SettingsOptions) => {
      const client = await session.client()
      const path = { id: (await findDomain(client, name)).id }
      const body = given({
        groupName: options.group,
        tags: options.withoutTags ? [] : options.tag,
        notes: options.notes,
        defaultTtl: options.defaultTtl,
        syncInterval: options.syncEvery === 0 ? null : options.syncEvery,
        expiryRemindDays: options.remind,
        autoCheckExpiry: options.checkExpiry,
        reviewPolicy: options.review,
        reviewExempt: options.reviewExempt,
        verify: options.verify,
        driftPolicy: options.drift,
      })
      const isChange = Object.keys(body).length > 0
      const domain = isChange
        ? await client.PUT('/api/v1/domains/{id}', { path, body })
        : await client.GET('/api/v1/domains/{id}', { path })
      const settings = settingsOf(domain)
      if (session.options.json) return session.answer(settings)
      for (const [setting, value] of Object.entries(settings))
        await session.say(`${setting.padEnd(18)}${textOf(value)}`.trimEnd())
    })
}

/** The members that `PUT /api/v1/domains/{id}` takes, as they are. */
export const settingsOf = (domain: Domain) => {
  const { groupName, tags, notes, defaultTtl, syncInterval, expiryRemindDays, autoCheckExpiry } = domain
  const { reviewPolicy, reviewExempt, verify, driftPolicy } = domain
  return {
    groupName,
    tags,
    notes,
    defaultTtl,
    syncInterval,
    expiryRemindDays,
    autoCheckExpiry,
    reviewPolicy,
    reviewExempt,
    verify,
    driftPolicy,
  }
}

const textOf = (value: string | number | boolean | null | readonly (string | number)[]): string =>
  printable(Array.isArray(value) ? value.join(' ') : String(value ?? 'never'))
