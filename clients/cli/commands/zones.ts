import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { RecordContent, Zonekeeper } from '../../typescript/index.ts'
import { EXIT } from '../failures.ts'
import { findDomain } from '../names.ts'
import { carryOut, isEmpty, showPlan } from '../plan-view.ts'
import { confirm } from '../questions.ts'
import type { Session } from '../session.ts'
import { createTable } from '../table.ts'
import { write } from '../terminal.ts'
import { planFile, readFileOrInput } from '../zone-files.ts'

/** A zone as a whole: files, what differs from them, and what the DNS server has. */
export function addZones(program: Command, session: Session): void {
  program
    .command('import DOMAIN FILE')
    .description('make records what a zone file says (-: the standard input)')
    .option('--replace', 'delete what the file does not have')
    .action(async (name: string, file: string, { replace = false }: { replace?: boolean }) => {
      const text = await readFileOrInput(session.terminal, file)
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { plan, answer } = await planFile(session, client, domain.id, text, replace ? 'replace' : 'merge')
      await carryOut(session, client, domain, plan, answer)
    })

  program
    .command('export DOMAIN')
    .description('write the records as a zone file')
    .option('-o, --output <FILE>', 'instead of the standard output')
    .action(async (name: string, { output }: { output?: string }) => {
      const client = await session.client()
      const text = await client.exportZoneFile((await findDomain(client, name)).id)
      await (output === undefined ? write(session.terminal.stdout, text) : writeFile(output, text))
    })

  program
    .command('diff FILE DOMAIN')
    .description('what would make the domain what a file says; 6 when that is anything')
    .action(async (file: string, name: string) => {
      const text = await readFileOrInput(session.terminal, file)
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { plan, answer } = await planFile(session, client, domain.id, text, 'replace')
      if (session.options.json) await session.answer(answer)
      else if (!isEmpty(plan) || plan.conflicts.length > 0) await showPlan(session, domain.name, plan)
      if (plan.conflicts.length > 0) session.exit = EXIT.refused
      else if (!isEmpty(plan)) session.exit = EXIT.different
    })

  program
    .command('sync DOMAIN')
    .description('make the records here what the DNS server has')
    .option('--dry-run', 'only say what that would be')
    .option('--force', 'also when it deletes more than 30 % of them')
    .action(
      async (name: string, { dryRun = false, force = false }: { dryRun?: boolean; force?: boolean }) => {
        const client = await session.client()
        const domain = await findDomain(client, name)
        const { json, yes = false } = session.options
        const would = await client.syncDomain(domain.id, { dryRun: true })
        const isDone = !dryRun && yes
        if (!json) await showSync(session, domain.name, would)
        else if (!isDone) await session.answer(would)
        if (dryRun) return
        if (would.created + would.updated + would.deleted > 0) await confirm(session, 'Do it?')
        const did = await client.syncDomain(domain.id, { force })
        if (json) return session.answer(did)
        await session.say(`Done: ${did.created} new, ${did.updated} changed, ${did.deleted} gone here`)
      },
    )
}

type Sync = Awaited<ReturnType<Zonekeeper['syncDomain']>>

async function showSync(session: Session, name: string, sync: Sync): Promise<void> {
  const { synced, created, updated, deleted, difference } = sync
  await session.say(
    `${name}: ${synced} records at the DNS server: ${created} new, ${updated} changed, ${deleted} gone`,
  )
  const rows = [
    ...difference.deleted.map((content) => ({ sign: '-', content })),
    ...difference.updated.map(({ after }) => ({ sign: '~', content: after })),
    ...difference.created.map((content) => ({ sign: '+', content })),
  ]
  const { stdout } = session.terminal
  const table = createTable<{ sign: string; content: RecordContent }>(
    [
      { title: '', of: ({ sign }) => sign },
      { title: '', of: ({ content }) => content.name, long: true },
      { title: '', of: ({ content }) => content.recordType },
      { title: '', of: ({ content }) => content.ttl },
      { title: '', of: ({ content }) => content.value, long: true },
    ],
    stdout.isTTY === true ? (stdout.columns ?? 80) : null,
  )
  const [, ...lines] = rows.length > 0 ? table.lines(rows) : []
  for (const line of lines) await session.say(line)
  const rest = created + updated + deleted - rows.length
  if (rest > 0) await session.say(`and ${rest} more`)
}
