import { Option, type Command } from 'commander'
import type { Schemas } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { CliError, EXIT } from '../failures.ts'
import { count, given } from '../options.ts'
import { confirm } from '../terminal/questions.ts'
import type { Session } from '../session.ts'

type Monitor = Schemas['FailoverMonitor']

const LIMIT = 50

interface AddOptions {
  primary: string[]
  backup: string[]
  http?: string
  tcp?: number
  dns?: string
  contains?: string
  interval?: number
  failures?: number
  successes?: number
  holdDown?: number
  manualBack?: true
}

/** Adds the commands for failover monitors. */
export function addFailover(program: Command, session: Session): void {
  const failover = program
    .command('failover')
    .description('switch an RRset to an alternative when checks fail: list, show, add, switch, pause, resume')

  failover
    .command('list [DOMAIN]', { isDefault: true })
    .description('list failover monitors of a domain or all domains')
    .action(async (domain: string | undefined) => {
      const client = await session.client()
      const domainId = domain === undefined ? undefined : (await findDomain(client, domain)).id
      const query = { ...given({ domainId }), limit: LIMIT }
      await session.list<Monitor>(
        COLUMNS,
        every('monitors', (page) =>
          client.GET('/api/v1/failover-monitors', { query: { ...query, ...page } }),
        ),
      )
    })

  failover
    .command('show MONITOR')
    .description('show a failover monitor and what its checks found')
    .action(async (id: string) => {
      const client = await session.client()
      await tell(await client.GET('/api/v1/failover-monitors/{id}', { path: { id } }))
    })

  failover
    .command('add DOMAIN NAME TYPE')
    .description('set up failover for an RRset')
    .requiredOption('--primary <VALUE...>', 'values of the preferred alternative')
    .requiredOption('--backup <VALUE...>', 'values of the other alternative')
    .addOption(new Option('--http <URL>', 'ask each value for this URL').conflicts(['tcp', 'dns']))
    .addOption(new Option('--tcp <PORT>', 'connect to this port').argParser(count).conflicts(['http', 'dns']))
    .addOption(new Option('--dns <NAME>', 'ask each value for the NS records of this name'))
    .option('--contains <TEXT>', 'text in the answer')
    .option('--interval <SECONDS>', 'between two checks', count)
    .option('--failures <N>', 'failed checks in a row until it is down', count)
    .option('--successes <N>', 'successful checks in a row until it is up again', count)
    .option('--hold-down <SECONDS>', 'least time until it goes back', count)
    .option('--manual-back', 'do not go back automatically')
    .action(async (name: string, host: string, type: string, options: AddOptions) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { primary, backup, interval, failures, successes, holdDown, manualBack } = options
      await tell(
        await client.POST('/api/v1/domains/{id}/failover-monitors', {
          path: { id: domain.id },
          body: {
            name: host,
            recordType: type.toUpperCase(),
            alternatives: [
              { name: 'primary', values: primary },
              { name: 'backup', values: backup },
            ],
            check: checkIn(options),
            ...given({ intervalSeconds: interval, failures, successes, holdDownSeconds: holdDown }),
            ...(manualBack && { back: 'manual' as const }),
          },
        }),
      )
    })

  failover
    .command('switch MONITOR ALTERNATIVE')
    .description('serve an alternative, by its name, until the monitor is resumed')
    .option('--force', 'also if its checks fail')
    .action(async (id: string, to: string, { force }: { force?: true }) => {
      const client = await session.client()
      await confirm(session, `Serve ${to}?`)
      const body = { to, ...given({ force }) }
      await tell(await client.POST('/api/v1/failover-monitors/{id}/switch', { path: { id }, body }))
    })

  failover
    .command('pause MONITOR')
    .description('stop switching automatically')
    .action(async (id: string) => {
      const client = await session.client()
      await tell(await client.POST('/api/v1/failover-monitors/{id}/pause', { path: { id } }))
    })

  failover
    .command('resume MONITOR')
    .description('switch automatically again, from what is served now')
    .action(async (id: string) => {
      const client = await session.client()
      await tell(await client.POST('/api/v1/failover-monitors/{id}/resume', { path: { id } }))
    })

  failover
    .command('approve MONITOR')
    .description('approve the alternatives that another person set up')
    .action(async (id: string) => {
      const client = await session.client()
      const seen = await client.GET('/api/v1/failover-monitors/{id}', { path: { id } })
      if (!session.options.json) await session.say(linesOf(seen))
      await confirm(session, 'Approve?')
      const body = { revision: seen.revision }
      await tell(await client.POST('/api/v1/failover-monitors/{id}/approve', { path: { id }, body }))
    })

  failover
    .command('rm MONITOR')
    .description('remove a failover monitor; the records stay as they are')
    .action(async (id: string) => {
      const client = await session.client()
      await confirm(session, 'Remove the monitor?')
      await client.DELETE('/api/v1/failover-monitors/{id}', { path: { id } })
      if (!session.options.json) await session.say('Removed.')
    })

  const tell = (monitor: Monitor) =>
    session.options.json ? session.answer(monitor) : session.say(linesOf(monitor))
}

function checkIn({ http, tcp, dns, contains }: AddOptions): Schemas['FailoverCheckSettings'] {
  if (http !== undefined) {
    const url = URL.parse(http)
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      throw new CliError(EXIT.usage, '--http needs an http or https URL')
    return {
      kind: 'http',
      tls: url.protocol === 'https:',
      host: url.hostname,
      path: url.pathname + url.search,
      ...(url.port !== '' && { port: Number(url.port) }),
      ...given({ contains }),
    }
  }
  if (tcp !== undefined) return { kind: 'tcp', port: tcp }
  if (dns !== undefined) return { kind: 'dns', query: dns, ...given({ contains }) }
  throw new CliError(EXIT.usage, 'Give --http, --tcp or --dns')
}

const hostOf = ({ name, domainName }: Monitor) => (name === '@' ? domainName : `${name}.${domainName}`)

const COLUMNS = [
  { title: 'NAME', of: hostOf, long: true },
  { title: 'TYPE', of: ({ recordType }: Monitor) => recordType },
  { title: 'STATE', of: ({ state }: Monitor) => state },
  { title: 'SERVED', of: ({ active }: Monitor) => active },
  {
    title: 'HEALTH',
    of: ({ alternatives }: Monitor) => alternatives.map(({ name, health }) => `${name} ${health}`).join(', '),
    long: true,
  },
  { title: 'MONITOR', of: ({ id }: Monitor) => id },
]

function linesOf(monitor: Monitor): string {
  const { recordType, state, paused, problem, alternatives, warnings, instances, nextCheckAt, id } = monitor
  const reason = paused ?? problem
  return [
    `${hostOf(monitor)} ${recordType}: ${state}${reason === null ? '' : ` (${reason})`}`,
    ...alternatives.map(
      ({ name, values, isActive, health, latencyMs, detail }) =>
        `  ${isActive ? '*' : ' '} ${name} ${values.join(', ')}: ${health}` +
        (latencyMs === null ? '' : `, ${latencyMs} ms`) +
        (detail === null ? '' : `, ${detail}`),
    ),
    `Checked by ${instances} instances${nextCheckAt === null ? '' : `, next at ${nextCheckAt}`}`,
    ...(monitor.awaitsApproval ? ['Another person must approve it first.'] : []),
    ...warnings.map(({ message }) => `Warning: ${message}`),
    `Monitor ${id}`,
  ]
    .map(printable)
    .join('\n')
}
