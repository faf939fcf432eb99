import { InvalidArgumentError, type Command } from 'commander'
import type { Schemas, Zonekeeper } from '../../../typescript/index.ts'
import { every } from '../../../typescript/paging.ts'
import { isId } from '../../../domain-names.ts'
import { printable } from '../../../printable.ts'
import { EXIT, CliError } from '../../failures.ts'
import { confirm } from '../../terminal/questions.ts'
import { firstOf, minuteOf } from '../../terminal/table.ts'
import { count } from '../../options.ts'
import { readFileOrInput } from '../../zone-files.ts'
import type { Session } from '../../session.ts'

type Channel = Schemas['Channel']
type Delivery = Schemas['Delivery']

const LIMIT = 100
const SHOWN = 20

function delivery(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('Give the id of a delivery, as "deliveries" shows it.')
  return text
}

/** Adds the commands for channels, where events are sent. */
export function addChannels(program: Command, session: Session): void {
  const channels = program
    .command('channels')
    .description('list, add, test and remove channels, where events are sent (administrators)')

  channels
    .command('list', { isDefault: true })
    .description('list the channels')
    .action(async () => {
      const client = await session.client()
      await session.list<Channel>(
        [
          { title: 'ID', of: ({ id }) => id },
          { title: 'NAME', of: ({ name }) => name, long: true },
          { title: 'KIND', of: ({ channel }) => channel },
          { title: 'ENABLED', of: ({ enabled }) => (enabled ? 'yes' : 'no') },
          { title: 'EVENTS', of: ({ events }) => events.join(' '), long: true },
          {
            title: 'LAST',
            of: ({ lastDelivery: last }) => (last === null ? '' : last.ok ? 'delivered' : 'failed'),
          },
        ],
        (await client.GET('/api/v1/notifications/configs')).configs,
      )
    })

  channels
    .command('add FILE')
    .description('add a channel from JSON, as the API takes it (- for standard input, for secrets)')
    .action(async (file: string) => {
      const body = jsonIn(await readFileOrInput(session.terminal, file))
      const client = await session.client()
      const made = await client.POST('/api/v1/notifications', { body: body as never })
      if (session.options.json) return session.answer(made)
      await session.say(`${printable(made.name)} added: ${made.id}`)
    })

  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    channels
      .command(`${name} CHANNEL`)
      .description(`${name} a channel; CHANNEL is its id or name`)
      .action(async (idOrName: string) => {
        const client = await session.client()
        const { id } = await findChannel(client, idOrName)
        const path = { id }
        const changed = await client.PUT('/api/v1/notifications/configs/{id}', { path, body: { enabled } })
        if (session.options.json) return session.answer(changed)
        await session.say(`${printable(changed.name)} ${name}d`)
      })

  channels
    .command('test CHANNEL')
    .description('send a test message; exits with 1 if it was not delivered')
    .action(async (idOrName: string) => {
      const client = await session.client()
      const { id, name } = await findChannel(client, idOrName)
      const report = await client.POST('/api/v1/notifications/configs/{id}/test', { path: { id } })
      if (!report.ok) session.exit = EXIT.failed
      if (session.options.json) return session.answer(report)
      await session.say(
        report.ok
          ? `Test message to ${printable(name)} delivered in ${report.durationMs} ms`
          : `Test message to ${printable(name)} not delivered: ${printable(report.error ?? 'unknown reason')}`,
      )
    })

  channels
    .command('deliveries CHANNEL')
    .description('list the messages to a channel, newest first')
    .option('--number <NUMBER>', 'how many', count, SHOWN)
    .action(async (idOrName: string, { number }: { number: number }) => {
      const client = await session.client()
      const { id } = await findChannel(client, idOrName)
      const query = { limit: Math.min(LIMIT, number) }
      const deliveries = every('deliveries', (page) =>
        client.GET('/api/v1/notifications/configs/{id}/deliveries', {
          path: { id },
          query: { ...query, ...page },
        }),
      )
      await session.list<Delivery>(
        [
          { title: 'ID', of: (one) => one.id },
          { title: 'AT', of: ({ createdAt }) => minuteOf(createdAt) },
          { title: 'STATUS', of: ({ status }) => status },
          { title: 'TRIES', of: ({ tries }) => tries },
          { title: 'EVENT', of: ({ event }) => event },
          { title: 'TITLE', of: ({ title }) => title, long: true },
          { title: 'ERROR', of: ({ error }) => error, long: true },
        ],
        firstOf(deliveries, number),
      )
    })

  channels
    .command('replay')
    .argument('CHANNEL')
    .argument('DELIVERY', 'id, as deliveries shows it', delivery)
    .description('send a message again that was given up')
    .action(async (idOrName: string, deliveryId: string) => {
      const client = await session.client()
      const { id } = await findChannel(client, idOrName)
      const path = { id, deliveryId }
      const sent = await client.POST('/api/v1/notifications/configs/{id}/deliveries/{deliveryId}/replay', {
        path,
      })
      if (session.options.json) return session.answer(sent)
      await session.say(`${printable(sent.title)}: ${sent.status}`)
    })

  channels
    .command('rm CHANNEL')
    .description('remove a channel with its pending messages')
    .action(async (idOrName: string) => {
      const client = await session.client()
      const { id, name } = await findChannel(client, idOrName)
      await confirm(session, `Remove ${printable(name)}?`)
      await client.DELETE('/api/v1/notifications/configs/{id}', { path: { id } })
      await session.note(`${printable(name)} removed`)
    })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError(EXIT.usage, 'The file is not JSON')
  }
}

async function findChannel(client: Zonekeeper, idOrName: string): Promise<Channel> {
  if (isId(idOrName)) return client.GET('/api/v1/notifications/configs/{id}', { path: { id: idOrName } })
  const { configs } = await client.GET('/api/v1/notifications/configs')
  const found = configs.filter(({ name }) => name === idOrName)
  const [channel, ...others] = found
  if (!channel) throw new CliError(EXIT.notFound, `Channel ${idOrName} not found`)
  if (others.length === 0) return channel
  const ids = found.map(({ id }) => id).join(', ')
  throw new CliError(EXIT.usage, `Several channels are named ${idOrName}; use an id (${ids})`)
}
