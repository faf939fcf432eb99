import type { Command } from 'commander'
import type { Plan, Zonekeeper } from '../../typescript/index.ts'
import { changeToSet, readRrset, type RequestedChange } from '../changes.ts'
import { EXIT, CliError } from '../failures.ts'
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

/** Adds plan and apply. */
export function addPlans(program: Command, session: Session): void {
  program
    .command('plan DOMAIN [FILE]')
    .description('plan changes and keep the plan for an hour, for apply')
    .option('--add <RECORD>', 'create "NAME TYPE VALUE"; can be given several times', repeated)
    .option('--set <RECORD>', 'make "NAME TYPE VALUE" the only value of that name and type', repeated)
    .option('--rm <RECORD>', 'delete "NAME", "NAME TYPE" or "NAME TYPE VALUE"', repeated)
    .option('--ttl <SECONDS>', 'TTL of added and set records', seconds)
    .addHelpText(
      'after',
      '\nFILE (- for standard input) is a zone file, whose records are added or updated, or JSON: "changes" of the API.',
    )
    .action(async (name: string, file: string | undefined, options: PlanOptions) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const planned = await planOf(client, domain, file, options)
      if (session.options.json) await session.answer(planned)
      else await showPlan(session, domain.name, planned)
      if (planned.conflicts.length > 0)
        throw new CliError(EXIT.refused, 'The plan has conflicts and cannot be applied')
      if (!session.options.json && !isEmpty(planned))
        await session.say(
          `To apply it before ${planned.planExpiresAt}: zonekeeper apply ${domain.name} ${planned.planId}`,
        )
    })

  program
    .command('apply')
    .argument('DOMAIN')
    .argument('PLAN', 'id, as shown by plan', plan)
    .description('apply a plan as it was shown, or nothing if records changed since')
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
      throw new CliError(EXIT.usage, 'Give a FILE, --add, --set or --rm')
    }
    if (changes.length > 0) throw new CliError(EXIT.usage, 'Give either a FILE or --add, --set and --rm')
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
): Promise<RequestedChange[]> {
  const withTtl = ttl === undefined ? {} : { ttl }
  const changes: RequestedChange[] = add
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
    const deleted = there.filter((record) => value === undefined || record.value === value)
    if (deleted.length === 0) throw new CliError(EXIT.notFound, `No record matches "${line}"`)
    changes.push(...deleted.map(({ id, version }) => ({ action: 'delete' as const, recordId: id, version })))
  }
  return changes
}

/** Splits into name, type and the rest. */
const wordsOf = (line: string) => /^\s*(\S+)(?:\s+(\S+))?(?:\s+(.*))?$/.exec(line)?.slice(1) ?? []

function recordIn(line: string) {
  const [name, type, value] = wordsOf(line)
  if (name === undefined || type === undefined || value === undefined)
    throw new CliError(EXIT.usage, `"${line}" is not "NAME TYPE VALUE"`)
  return { name, recordType: type.toUpperCase(), value }
}

/** Returns the changes of a JSON text in the API's form; null if the text is not JSON. */
function changesIn(text: string): RequestedChange[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    const parsed = JSON.parse(text) as RequestedChange[] | { changes: RequestedChange[] }
    return Array.isArray(parsed) ? parsed : parsed.changes
  } catch (error) {
    throw new CliError(EXIT.usage, `The file is not valid JSON: ${(error as Error).message}`)
  }
}
