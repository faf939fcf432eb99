import { writeFile } from 'node:fs/promises'
import { Option, type Command } from 'commander'
import type { Answer, OpenApi } from '../../typescript/index.ts'
import { EXIT, CliError } from '../failures.ts'
import { repeated } from '../options.ts'
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
      .command('import [DOMAIN] [FILE]')
      .description(
        'add and update records from a zone file (- for standard input), or all domains of an export',
      )
      .option(
        '--all <FOLDER>',
        'import the folder of export --all instead: domains, records, settings, permissions',
      )
      .option('--replace', 'also delete records that are not in the file')
      .option('--create-zone', 'with --all: create missing zones of new domains')
      .option(
        '--connection <OLD=NEW>',
        'with --all: provider connection of new domains; can be given several times',
        repeated,
      )
      .addOption(format()),
  ).action(async (name: string | undefined, file: string | undefined, options: ImportOptions) => {
    if (options.all !== undefined) {
      if (name !== undefined) throw new CliError(EXIT.usage, 'Give either DOMAIN and FILE or --all')
      const { importAll } = await import('../everything/import.ts')
      const connections = new Map((options.connection ?? []).map(pairIn))
      return importAll(session, options.all, { ...options, connections })
    }
    if (name === undefined || file === undefined)
      throw new CliError(EXIT.usage, 'Give DOMAIN and FILE, or --all FOLDER')
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
    .command('export [DOMAIN]')
    .description('print the records as a zone file, or write all domains to a folder')
    .option('--all <FOLDER>', 'write all domains, with settings and permissions; continues if interrupted')
    .option('-o, --output <FILE>', 'write to a file instead of standard output')
    .addOption(format())
    .action(async (name: string | undefined, { all, output, format: asked }: ExportOptions) => {
      if ((name === undefined) === (all === undefined))
        throw new CliError(EXIT.usage, 'Give either a DOMAIN or --all FOLDER')
      if (all !== undefined) {
        const { exportAll } = await import('../everything/export.ts')
        return exportAll(session, all)
      }
      const client = await session.client()
      const domain = await findDomain(client, name as string)
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

interface ImportOptions {
  all?: string
  replace?: boolean
  createZone?: boolean
  connection?: string[]
  format?: ZoneFormat
}

interface ExportOptions {
  all?: string
  output?: string
  format?: ZoneFormat
}

function pairIn(text: string): [old: string, now: string] {
  const [old = '', now] = text.split(/=(.*)/s)
  if (now === undefined) throw new CliError(EXIT.usage, `"${text}" is not OLD=NEW`)
  return [old, now]
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
