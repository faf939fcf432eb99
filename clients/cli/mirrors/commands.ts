import type { Command } from 'commander'
import type { Mirror } from '../../typescript/index.ts'
import { findDomain, isId } from '../../domain-names.ts'
import { CliError, EXIT } from '../failures.ts'
import { confirm } from '../terminal/questions.ts'
import type { Session } from '../session.ts'
import { findProvider } from '../commands/settings/connections.ts'
import { moveDomain } from './move.ts'
import { caughtUp, countsOf, linesOf, requireInStep, shown } from './view.ts'

/** Adds the commands for domains at several providers. */
export function addMirrors(program: Command, session: Session): void {
  const mirrors = program
    .command('mirrors')
    .description('serve a domain from several DNS providers, or move it')

  mirrors
    .command('list', { isDefault: true })
    .argument('DOMAIN')
    .description('list the mirrors of a domain')
    .action(async (name: string) => {
      const client = await session.client()
      const { id } = await findDomain(client, name)
      const list = await client.GET('/api/v1/domains/{id}/mirrors', { path: { id } })
      await session.list<Mirror>(
        [
          { title: 'PROVIDER', of: ({ providerName }) => providerName },
          { title: 'STATE', of: ({ state }) => state },
          { title: 'BEHIND', of: ({ behind }) => behind },
          { title: 'DIFFERENT', of: ({ differences }) => differences ?? '' },
          { title: 'FINDINGS', of: ({ findings, moreFindings }) => findings.length + moreFindings },
          { title: 'ID', of: (mirror) => mirror.id },
        ],
        list.mirrors,
      )
    })

  mirrors
    .command('add DOMAIN CONNECTION')
    .description('add a mirror; CONNECTION is the name or id of a provider connection')
    .option('--create-zone', 'create the zone at the DNS provider if it does not exist')
    .option('--wait', 'wait until it has all records')
    .action(async (name: string, connection: string, options: { createZone?: boolean; wait?: boolean }) => {
      const client = await session.client()
      const { id } = await findDomain(client, name)
      const providerConfigId = await findProvider(client, connection)
      const body = { providerConfigId, createZone: options.createZone ?? false }
      const added = await client.POST('/api/v1/domains/{id}/mirrors', { path: { id }, body })
      const mirror = options.wait ? await caughtUp(session, client, id, added) : added
      if (session.options.json) await session.answer(mirror)
      else await session.say(linesOf(mirror).join('\n'))
      if (options.wait) requireInStep(mirror)
    })

  const about = (command: string, description: string) =>
    mirrors
      .command(`${command} DOMAIN MIRROR`)
      .description(`${description}; MIRROR is its id, or the name of its provider or provider connection`)

  about('compare', 'show what would make a mirror the same as the domain').action(
    async (name: string, given: string) => {
      const { client, path } = await find(session, name, given)
      const compared = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/compare', { path })
      if (session.options.json) await session.answer(compared)
      else await session.say([countsOf(compared.plan), ...linesOf(compared.mirror)].join('\n'))
      if (compared.mirror.state !== 'in_step') throw new CliError(EXIT.different, 'The mirror differs')
    },
  )

  about('sync', 'make a mirror the same as the domain')
    .option('--force', 'also if that deletes more than 30 % of its records')
    .action(async (name: string, given: string, { force = false }: { force?: boolean }) => {
      const { client, path } = await find(session, name, given)
      const { plan } = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/compare', { path })
      if (!session.options.json) await session.say(countsOf(plan))
      await confirm(session, 'Continue?')
      const query = { force }
      const synced = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/sync', { path, query })
      if (session.options.json) return session.answer(synced)
      await session.say(linesOf(synced.mirror).join('\n'))
    })

  about('promote', 'swap the provider of the domain and a mirror; no record changes')
    .option('--force', 'also if it is not in step: the records become those of its zone')
    .action(async (name: string, given: string, { force = false }: { force?: boolean }) => {
      const { client, path } = await find(session, name, given)
      await confirm(session, 'Swap the provider of the domain and this mirror?')
      const body = { force }
      const answer = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/promote', { path, body })
      if (session.options.json) return session.answer(answer)
      await session.say(`Name servers: ${shown(answer.nameServers)}`)
    })

  about('delegation', 'ask the parent zone to which name servers it delegates').action(
    async (name: string, given: string) => {
      const { client, path } = await find(session, name, given)
      const found = await client.GET('/api/v1/domains/{id}/mirrors/{mirrorId}/delegation', { path })
      if (session.options.json) return session.answer(found)
      await session.say(`${found.state}: ${shown(found.parent)}`)
    },
  )

  about('rm', 'remove a mirror; its zone stays at the provider').action(
    async (name: string, given: string) => {
      const { client, path } = await find(session, name, given)
      await confirm(session, 'Remove the mirror? Its zone stays at the provider and gets no further changes.')
      await client.DELETE('/api/v1/domains/{id}/mirrors/{mirrorId}', { path })
      await session.note('Mirror removed')
    },
  )

  mirrors
    .command('move DOMAIN CONNECTION')
    .description('move a domain to another provider step by step; continues where it was left')
    .option('--create-zone', 'create the zone at the DNS provider if it does not exist')
    .action((name: string, connection: string, { createZone = false }: { createZone?: boolean }) =>
      moveDomain(session, name, connection, createZone),
    )
}

/** Finds a mirror by its id, or by the name of its provider or its provider connection. */
async function find(session: Session, name: string, given: string) {
  const client = await session.client()
  const { id } = await findDomain(client, name)
  if (isId(given)) return { client, path: { id, mirrorId: given } }
  const { mirrors } = await client.GET('/api/v1/domains/{id}/mirrors', { path: { id } })
  const atProvider = mirrors.filter(({ providerName }) => providerName.toLowerCase() === given.toLowerCase())
  const found = atProvider.length > 0 || mirrors.length === 0 ? atProvider : await atConnection()
  const [mirror, ...others] = found
  if (!mirror) throw new CliError(EXIT.notFound, `No mirror at ${given}`)
  if (others.length === 0) return { client, path: { id, mirrorId: mirror.id } }
  const ids = found.map((one) => one.id).join(', ')
  throw new CliError(EXIT.usage, `Several mirrors are at ${given}; use an id (${ids})`)

  async function atConnection() {
    const configId = await findProvider(client, given)
    return mirrors.filter(({ providerConfigId }) => providerConfigId === configId)
  }
}
