import type { Command } from 'commander'
import type { Plan, Zonekeeper } from '../../typescript/index.ts'
import { changeToSet, readRrset, type Change } from '../changes.ts'
import { EXIT, Failure } from '../failures.ts'
import { findDomain } from '../../domain-names.ts'
import { applyPlan, isEmpty, showPlan } from '../plan-view.ts'
import type { Session } from '../session.ts'
import { planFile, readFileOrInput } from '../zone-files.ts'
import { plan, repeated, seconds } from '../options.ts'

interface PlanOptions {
  add?: string[]
  set?: string[]
  rm?: string[]
  ttl?: number
}

/** Plans that are looked at now and carried out later. */
export function addPlans(program: Command, session: Session): void {
  program
    .command('plan DOMAIN [FILE]')
    .description('say what changes would do, and keep that for an hour for apply')
    .option('--add <RECORD>', 'create "NAME TYPE VALUE"; may be said several times', repeated)
    .option('--set <RECORD>', 'make "NAME TYPE VALUE" the only value of that name and type', repeated)
    .option('--rm <RECORD>', 'delete "NAME", "NAME TYPE" or "NAME TYPE VALUE"', repeated)
    .option('--ttl <SECONDS>', 'of what is added and set', seconds)
    .addHelpText(
      'after',
      '\nFILE (-: the standard input) is a zone file, or JSON: the "changes" of the API. A zone file adds and updates.',
    )
    .action(async (name: string, file: string | undefined, options: PlanOptions) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const planned = await planOf(client, domain, file, options)
      if (session.options.json) await session.answer(planned)
      else await showPlan(session, domain.name, planned)
      if (planned.conflicts.length > 0)
        throw new Failure(EXIT.refused, 'This can not be done: see the conflicts')
      if (!session.options.json && !isEmpty(planned))
        await session.say(
          `To do it, until ${planned.planExpiresAt}: zonekeeper apply ${domain.name} ${planned.planId}`,
        )
    })

  program
    .command('apply')
    .argument('DOMAIN')
    .argument('PLAN', 'its id, which plan shows', plan)
    .description('do what a plan has shown: just that, once, or nothing')
    .action(async (name: string, planId: string) => {
      const client = await session.client()
      await applyPlan(session, client, await findDomain(client, name), planId)
    })

  async function planOf(
    client: Zonekeeper,
    domain: { id: string; name: string },
    file: string | undefined,
    options: PlanOptions,
  ): Promise<Plan> {
    const changes = await changesOf(client, domain, options)
    if (file === undefined) {
      if (changes.length > 0)
        return client.POST('/api/v1/domains/{id}/records/plan', {
          path: { id: domain.id },
          body: { changes, keep: true },
        })
      throw new Failure(EXIT.usage, 'Say what to plan: a FILE, --add, --set or --rm')
    }
    if (changes.length > 0) throw new Failure(EXIT.usage, 'Name a FILE, or --add, --set and --rm: not both')
    const text = await readFileOrInput(session.terminal, file)
    const listed = changesIn(text)
    if (listed)
      return client.POST('/api/v1/domains/{id}/records/plan', {
        path: { id: domain.id },
        body: { changes: listed, keep: true },
      })
    return (await planFile(session, client, domain, { text, mode: 'merge', format: 'bind' })).plan
  }
}

async function changesOf(
  client: Zonekeeper,
  domain: { id: string; name: string },
  { add = [], set = [], rm = [], ttl }: PlanOptions,
): Promise<Change[]> {
  const withTtl = ttl === undefined ? {} : { ttl }
  const changes: Change[] = add
    .map((line) => ({ ...recordIn(line), ...withTtl }))
    .map((record) => ({ action: 'create', ...record }))
  const sets = Map.groupBy(set.map(recordIn), ({ name, recordType }) => `${name.toLowerCase()} ${recordType}`)
  for (const records of sets.values()) {
    const values = records.map(({ value }) => value)
    for (const { name, recordType } of records.slice(0, 1)) {
      changes.push(changeToSet(recordType, name, values, withTtl))
    }
  }
  for (const line of rm) {
    const [name = '', type, value] = wordsOf(line)
    const there = await readRrset(client, domain, name, type?.toUpperCase())
    const doomed = there.filter((record) => value === undefined || record.value === value)
    if (doomed.length === 0) throw new Failure(EXIT.notFound, `There is no record "${line}"`)
    changes.push(...doomed.map(({ id, version }) => ({ action: 'delete' as const, recordId: id, version })))
  }
  return changes
}

/** Name, type, and the rest as it stands. */
const wordsOf = (line: string) => /^\s*(\S+)(?:\s+(\S+))?(?:\s+(.*))?$/.exec(line)?.slice(1) ?? []

function recordIn(line: string) {
  const [name, type, value] = wordsOf(line)
  if (name === undefined || type === undefined || value === undefined)
    throw new Failure(EXIT.usage, `"${line}" is not "NAME TYPE VALUE"`)
  return { name, recordType: type.toUpperCase(), value }
}

/** The changes of a JSON text, as the API takes them; null when it is something else. */
function changesIn(text: string): Change[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const parsed = JSON.parse(text) as Change[] | { changes: Change[] }
    return Array.isArray(parsed) ? parsed : parsed.changes
  } catch (error) {
    throw new Failure(EXIT.usage, `The file is no JSON: ${(error as Error).message}`)
  }
}
