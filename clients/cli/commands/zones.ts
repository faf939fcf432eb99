import { writeFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import type { Answer, OpenApi } from '../../typescript/index.ts'
import { EXIT } from '../failures.ts'
import { findDomain } from '../../domain-names.ts'
import { confirmAndApply, isEmpty, linesOfRecords, showPlan } from '../terminal/plan-view.ts'
import { confirm } from '../terminal/questions.ts'
import { withReview } from '../requests/review.ts'
import type { Session } from '../session.ts'
import { write } from '../terminal/terminal.ts'
import { exportZone, formatOf, planFile, readFileOrInput, type ZoneFormat } from '../zone-files.ts'

const format = () =>
  new Option(
    '--format <FORM>',
    'zone file or octoDNS YAML; by default from the extension of the file',
  ).choices(['bind', 'octodns'])

/** Adds the commands for whole zones: import, export, diff and sync. */
export function addZones(program: Command, session: Session): void {
  withReview(
    program
      .command('import DOMAIN FILE')
      .description('add and update records from a zone file (- for standard input)')
      .option('--replace', 'also delete records that are not in the file')
      .addOption(format()),
  ).action(async (name: string, file: string, options: { replace?: boolean; format?: ZoneFormat }) => {
    const mode = options.replace === true ? 'replace' : 'merge'
    const text = await readFileOrInput(session.terminal, file)
    const client = await session.client()
    const domain = await findDomain(client, name)
    const { plan, answer } = await planFile(session, client, domain, {
      text,
      mode,
      format: options.format ?? formatOf(file),
    })
    await confirmAndApply(session, client, domain, plan, answer)
  })

  program
    .command('export DOMAIN')
    .description('print the records as a zone file')
    .option('-o, --output <FILE>', 'write to a file instead of standard output')
    .addOption(format())
    .action(async (name: string, { output, format: asked }: { output?: string; format?: ZoneFormat }) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const text = await exportZone(client, domain, asked ?? formatOf(output ?? ''))
      await (output === undefined ? write(session.terminal.stdout, text) : writeFile(output, text))
    })

  program
    .command('diff FILE DOMAIN')
    .description('show what import --replace would change; exits with 6 if anything would')
    .addOption(format())
    .action(async (file: string, name: string, options: { format?: ZoneFormat }) => {
      const text = await readFileOrInput(session.terminal, file)
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { plan, answer } = await planFile(session, client, domain, {
        text,
        mode: 'replace',
        format: options.format ?? formatOf(file),
      })
      if (session.options.json) await session.answer(answer)
      else if (!isEmpty(plan) || plan.conflicts.length > 0) await showPlan(session, domain.name, plan)
      if (plan.conflicts.length > 0) session.exit = EXIT.refused
      else if (!isEmpty(plan)) session.exit = EXIT.different
    })

  program
    .command('sync DOMAIN')
    .description('import changes made at the DNS provider, or put back what is stored here')
    .option('--dry-run', 'only show the differences')
    .option('--put-back', 'write the stored records to the DNS provider where it differs')
    .option('--force', 'even if it deletes, or puts back, more than 30 % of the records')
    .action(async (name: string, { dryRun = false, ...query }: SyncOptions) => {
      const client = await session.client()
      const domain = await findDomain(client, name)
      const { json, yes = false } = session.options
      const would = await client.POST('/api/v1/domains/{id}/sync', {
        path: { id: domain.id },
        query: { dryRun: true },
      })
      const isDone = !dryRun && yes
      if (!json) await showSync(session, domain.name, would)
      else if (!isDone) await session.answer(would)
      if (dryRun) return
      if (would.created + would.updated + would.deleted > 0) await confirm(session, 'Continue?')
      const did = await client.POST('/api/v1/domains/{id}/sync', { path: { id: domain.id }, query })
      if (json) return session.answer(did)
      const { created, updated, deleted, changeId } = did
      if (query.putBack) return session.say(changeId === null ? 'Nothing to put back' : `Done: ${changeId}`)
      await session.say(`Done: ${created} created, ${updated} updated, ${deleted} deleted`)
    })
}

interface SyncOptions {
  dryRun?: boolean
  putBack?: boolean
  force?: boolean
}

type Sync = Answer<OpenApi, '/api/v1/domains/{id}/sync', 'POST'>

async function showSync(session: Session, name: string, sync: Sync): Promise<void> {
  const { synced, created, updated, deleted, difference } = sync
  await session.say(
    `${name}: ${synced} records at the DNS provider: ${created} new, ${updated} changed, ${deleted} deleted`,
  )
  const changes = [
    ...difference.deleted.map((before) => ({ before, after: null })),
    ...difference.updated,
    ...difference.created.map((after) => ({ before: null, after })),
  ]
  for (const line of linesOfRecords(session, changes)) await session.say(line)
  const rest = created + updated + deleted - changes.length
  if (rest > 0) await session.say(`and ${rest} more`)
}
