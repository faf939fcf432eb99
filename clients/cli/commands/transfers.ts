import type { Command } from 'commander'
import type { Assignment, DomainTransfer, Zonekeeper } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { asciiOf, findDomain, isId } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { EXIT, CliError } from '../failures.ts'
import { confirm } from '../terminal/questions.ts'
import type { Session } from '../session.ts'

const LIMIT = 200

/** Adds the commands of `domains` that transfer ownership. */
export function addTransfers(domains: Command, session: Session): void {
  domains
    .command('transfer DOMAIN USER')
    .description('offer a domain to another user, who owns it after accepting')
    .action(async (name: string, username: string) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      await confirm(session, `Give ${printable(domain.name)} to ${printable(username)}?`)
      const offer = await client.POST('/api/v1/domains/{id}/transfer', {
        path: { id: domain.id },
        body: { username },
      })
      if (session.options.json) return session.answer(offer ?? null)
      await session.say(
        offer
          ? `${domain.name} offered to ${printable(username)} until ${offer.expiresAt}`
          : `${domain.name} now belongs to ${printable(username)}`,
      )
    })

  domains
    .command('offers')
    .description('list pending transfers that you offered or received')
    .action(async () => {
      const client = await session.client()
      await session.list<DomainTransfer>(
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'DOMAIN', of: ({ domainName }) => domainName, long: true },
          { title: 'FROM', of: ({ fromUsername }) => fromUsername },
          { title: 'TO', of: ({ toUsername }) => toUsername },
          { title: 'UNTIL', of: ({ expiresAt }) => expiresAt },
        ],
        pending(client),
      )
    })

  const end = (
    action: 'accept' | 'decline' | 'withdraw',
    description: string,
    work: (client: Zonekeeper, id: string) => Promise<DomainTransfer>,
  ) =>
    domains
      .command(`${action} OFFER`)
      .description(`${description}; OFFER is the name of the domain or the id of the offer`)
      .action(async (nameOrId: string) => {
        const client = await session.client()
        const offer = await findOffer(client, nameOrId)
        const { domainName, fromUsername, toUsername } = offer
        if (!session.options.json)
          await session.say(`${domainName} is offered by ${fromUsername} to ${toUsername}.`)
        await confirm(session, `Really ${action}?`)
        const ended = await work(client, offer.id)
        if (session.options.json) return session.answer(ended)
        await session.say(`Transfer of ${domainName}: ${ended.status}`)
      })
  end('accept', 'accept a domain offered to you', (client, id) =>
    client.POST('/api/v1/domains/transfers/{id}/accept', { path: { id } }),
  )
  end('decline', 'decline a domain offered to you', (client, id) =>
    client.POST('/api/v1/domains/transfers/{id}/decline', { path: { id } }),
  )
  end('withdraw', 'withdraw your offer', (client, id) =>
    client.POST('/api/v1/domains/transfers/{id}/withdraw', { path: { id } }),
  )

  domains
    .command('leave DOMAIN')
    .description('give up your permissions on a domain')
    .action(async (name: string) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { user } = await client.GET('/api/v1/token')
      const filter = { userId: user.id, domainId: domain.id, limit: LIMIT }
      const own: Assignment[] = []
      const list = every('assignments', (page) =>
        client.GET('/api/v1/assignments', { query: { ...filter, ...page } }),
      )
      for await (const assignment of list) own.push(assignment)
      if (own.length === 0) throw new CliError(EXIT.notFound, `You have no permissions on ${domain.name}`)
      if (!session.options.json)
        await session.say(
          `This gives up ${own.map(({ host, permission }) => `${permission} of ${host}`).join(', ')}.`,
        )
      await confirm(session, 'Continue?')
      for (const { id } of own) await client.DELETE('/api/v1/assignments/{id}', { path: { id } })
      await session.note(`You left ${domain.name}`)
    })
}

const pending = (client: Zonekeeper) =>
  every('transfers', (page) =>
    client.GET('/api/v1/domains/transfers', { query: { status: 'pending', limit: LIMIT, ...page } }),
  )

/** Returns the pending transfer with that id, or of the domain with that name. */
async function findOffer(client: Zonekeeper, nameOrId: string): Promise<DomainTransfer> {
  if (isId(nameOrId)) return client.GET('/api/v1/domains/transfers/{id}', { path: { id: nameOrId } })
  const name = asciiOf(nameOrId)
  const found: DomainTransfer[] = []
  for await (const offer of pending(client)) if (offer.domainName === name) found.push(offer)
  const [offer, ...others] = found
  if (!offer) throw new CliError(EXIT.notFound, `No pending transfer of ${nameOrId}`)
  if (others.length === 0) return offer
  const ids = found.map(({ id }) => id).join(', ')
  throw new CliError(EXIT.usage, `Several transfers of ${nameOrId} are pending; use an id (${ids})`)
}
