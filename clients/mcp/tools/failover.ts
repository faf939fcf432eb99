import { z } from 'zod'
import type { Schemas } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { Refusal } from '../errors.ts'
import { printable } from '../../printable.ts'
import { DomainInput, PageInput } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { short } from '../words.ts'

type Monitor = Schemas['FailoverMonitor']

const MonitorId = z.uuid().describe('id of a failover monitor')

const Shown = z.object({
  id: z.string(),
  domain: z.string(),
  name: z.string(),
  type: z.string(),
  state: z.string().describe('preferred, failed_over, down, undecided, maintenance, paused or unapproved'),
  served: z.string().describe('Name of the alternative that is served'),
  paused: z.string().nullable().describe('Why it does not switch automatically'),
  problem: z.string().nullable().describe('Why it could not switch'),
  alternatives: z.array(
    z.object({
      name: z.string(),
      values: z.array(z.string()),
      health: z.string(),
      latencyMs: z.number().nullable(),
      detail: z.string().nullable().describe('Why the last check failed'),
    }),
  ),
  warnings: z.array(z.string()),
})

const toShown = (monitor: Monitor): z.input<typeof Shown> => ({
  id: monitor.id,
  domain: monitor.domainName,
  name: monitor.name,
  type: monitor.recordType,
  state: monitor.state,
  served: monitor.active,
  paused: monitor.paused,
  problem: monitor.problem,
  alternatives: monitor.alternatives.map(({ name, values, health, latencyMs, detail }) => ({
    name,
    values: values.map(short),
    health,
    latencyMs,
    detail,
  })),
  warnings: monitor.warnings.map(({ message }) => message),
})

const lineOf = ({ id, domainName, name, recordType, state, active, alternatives }: Monitor) =>
  `${name} ${recordType} in ${domainName}: ${state}, serves ${printable(active)}; ` +
  `${alternatives.map((each) => `${printable(each.name)} ${each.health}`).join(', ')} (${id})`

const shown = (monitor: Monitor) => ({ lines: [lineOf(monitor)], content: toShown(monitor) })

const listFailoverMonitors = tool({
  name: 'list_failover_monitors',
  title: 'List failover monitors',
  description: 'Lists RRsets that switch to an alternative when checks fail; those with a problem first.',
  annotations: READS,
  input: z.strictObject({ domain: DomainInput.exactOptional(), page: PageInput }),
  output: z.object({ monitors: z.array(Shown), total: z.number(), page: z.number() }),
  async run(client, { domain, page: at }) {
    const query = {
      page: at,
      ...(domain !== undefined && { domainId: (await findDomain(client, domain)).id }),
    }
    const { monitors, total, page } = await client.GET('/api/v1/failover-monitors', { query })
    return {
      lines: [`${monitors.length} of ${total} failover monitors, page ${page}`, ...monitors.map(lineOf)],
      content: { monitors: monitors.map(toShown), total, page },
    }
  },
})

const getFailoverMonitor = tool({
  name: 'get_failover_monitor',
  title: 'Read a failover monitor',
  description: 'Returns what is served, what the checks found, and why it does not switch, if so.',
  annotations: READS,
  input: z.strictObject({ monitorId: MonitorId }),
  output: Shown,
  run: async (client, { monitorId: id }) =>
    shown(await client.GET('/api/v1/failover-monitors/{id}', { path: { id } })),
})

const overrideFailover = tool({
  name: 'override_failover',
  title: 'Override a failover monitor',
  description:
    'switch serves an alternative until the monitor is resumed; pause stops automatic switching; resume lets it switch ' +
    'again. Call it only after the user has agreed.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    domain: DomainInput,
    monitorId: MonitorId,
    action: z.enum(['switch', 'pause', 'resume']).describe('What to do'),
    to: z.string().min(1).max(40).exactOptional().describe('With switch: name of the alternative'),
  }),
  output: Shown,
  async run(client, { domain, monitorId: id, action, to }) {
    const { id: domainId } = await findDomain(client, domain)
    const monitor = await client.GET('/api/v1/failover-monitors/{id}', { path: { id } })
    if (monitor.domainId !== domainId) throw new Refusal('The failover monitor belongs to another domain')
    if (action === 'pause')
      return shown(await client.POST('/api/v1/failover-monitors/{id}/pause', { path: { id } }))
    if (action === 'resume')
      return shown(await client.POST('/api/v1/failover-monitors/{id}/resume', { path: { id } }))
    if (to === undefined) throw new Refusal('Give the name of the alternative as `to`')
    return shown(await client.POST('/api/v1/failover-monitors/{id}/switch', { path: { id }, body: { to } }))
  },
})

export const failoverTools = [listFailoverMonitors, getFailoverMonitor, overrideFailover]
