import { Option, type Command } from 'commander'
import type { DomainListItem, Schemas } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { printable } from '../../printable.ts'
import { findDomain } from '../../domain-names.ts'
import { count, given, repeated } from '../options.ts'
import { confirm } from '../terminal/questions.ts'
import type { Session } from '../session.ts'
import { addDomainSettings } from './settings/domain-settings.ts'
import { findProvider } from './settings/connections.ts'
import { addMoves } from './settings/move.ts'
import { addTransfers } from './transfers.ts'

const LIMIT = 200

interface ListOptions {
  search?: string
  group?: string
  tag?: string
  status?: Schemas['DomainStatus']
}

interface AddOptions {
  provider: string
  createZone?: boolean
  group?: string
  tag?: string[]
}

/** Adds the commands for whole domains. */
export function addDomains(program: Command, session: Session): void {
  const domains = program.command('domains').description('list, show, add and remove domains')

  domains
    .command('list', { isDefault: true })
    .description('list the domains the token can see')
    .option('--search <TEXT>', 'part of the name')
    .option('--group <GROUP>')
    .option('--tag <TAG>')
    .addOption(new Option('--status <STATUS>').choices(['active', 'expiring', 'expired']))
    .action(async ({ search, group, tag, status }: ListOptions) => {
      const client = await session.client()
      const filters = { limit: LIMIT, ...given({ search, group, tag, status }) }
      await session.list<DomainListItem>(
        [
          { title: 'NAME', of: ({ unicodeName }) => unicodeName, long: true },
          { title: 'RECORDS', of: ({ recordCount }) => recordCount },
          { title: 'STATUS', of: ({ status: is }) => is },
          { title: 'EXPIRES', of: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? '' },
          { title: 'GROUP', of: ({ groupName }) => groupName, long: true },
          { title: 'TAGS', of: ({ tags }) => tags.join(' '), long: true },
        ],
        every('domains', (page) => client.GET('/api/v1/domains', { query: { ...filters, ...page } })),
      )
    })

  domains
    .command('show DOMAIN')
    .description('show the details of a domain')
    .action(async (name: string) => {
      const client = await session.client()
      const domain = await client.GET('/api/v1/domains/{id}', {
        path: { id: (await findDomain(client, name)).id },
      })
      if (session.options.json) return session.answer(domain)
      for (const [field, value] of Object.entries(domain) as [
        string,
        string | number | boolean | null | unknown[],
      ][]) {
        const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
        if (text !== '') await session.say(`${field.padEnd(18)}${printable(text)}`)
      }
    })

  domains
    .command('add NAME')
    .description('add a domain and import the records of its zone')
    .requiredOption('--provider <NAME>', 'name or id of the provider connection')
    .option('--create-zone', 'create the zone at the DNS provider if it does not exist')
    .option('--group <GROUP>')
    .option('--tag <TAG>', 'can be given several times', repeated)
    .action(async (name: string, { provider, createZone, group, tag }: AddOptions) => {
      const client = await session.client()
      const providerConfigId = await findProvider(client, provider)
      const domain = await client.POST('/api/v1/domains', {
        body: {
          name,
          providerConfigId,
          ...given({ createZone, groupName: group, tags: tag }),
        },
      })
      const { synced } = await client.POST('/api/v1/domains/{id}/sync', { path: { id: domain.id } })
      if (session.options.json)
        return session.answer(await client.GET('/api/v1/domains/{id}', { path: { id: domain.id } }))
      await session.say(`${domain.unicodeName} added with ${synced} records`)
    })

  domains
    .command('drift DOMAIN')
    .description('show or set what automatic syncs do with changes made at the DNS provider')
    .addOption(new Option('--policy <POLICY>').choices(['adopt', 'alert', 'enforce']))
    .option('--every <MINUTES>', 'sync this often', count)
    .action(async (name: string, { policy, every }: { policy?: Schemas['DriftPolicy']; every?: number }) => {
      const client = await session.client()
      const path = { id: (await findDomain(client, name)).id }
      const body = given({ driftPolicy: policy, syncInterval: every })
      if (policy !== undefined || every !== undefined)
        await client.PUT('/api/v1/domains/{id}', { path, body })
      const domain = await client.GET('/api/v1/domains/{id}', { path })
      const { driftPolicy, syncInterval, driftFoundAt, drift } = domain
      if (session.options.json) return session.answer({ driftPolicy, syncInterval, driftFoundAt, drift })
      const often = syncInterval === null ? 'no automatic sync' : `every ${syncInterval} minutes`
      const state =
        driftFoundAt === null
          ? 'in sync'
          : `out of sync since ${driftFoundAt}${drift === null ? '' : `: ${drift.reason}`}`
      await session.say(`${driftPolicy}, ${often}, ${state}`)
    })

  domains
    .command('rm DOMAIN')
    .description('remove a domain; its zone stays at the DNS provider')
    .option('--delete-zone', 'also delete the zone and all its records at the DNS provider')
    .action(async (name: string, { deleteZone = false }: { deleteZone?: boolean }) => {
      const client = await session.client()
      const domain = await client.GET('/api/v1/domains/{id}', {
        path: { id: (await findDomain(client, name)).id },
      })
      const what = `${domain.unicodeName} with ${domain.recordCount} records and its history`
      const zone = deleteZone ? ', and its zone at the DNS provider' : '; its zone stays at the DNS provider'
      if (!session.options.json) await session.say(`This removes ${what}${zone}.`)
      await confirm(session, 'Continue?')
      await client.DELETE('/api/v1/domains/{id}', { path: { id: domain.id }, query: { deleteZone } })
      await session.note(`${domain.unicodeName} removed`)
    })

  addDomainSettings(domains, session)
  addMoves(domains, session)
  addTransfers(domains, session)
}
