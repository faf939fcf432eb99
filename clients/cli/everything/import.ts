import { readFile } from 'node:fs/promises'
import type { Domain, Plan, Zonekeeper } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { ZonekeeperError } from '../../typescript/problem.ts'
import { DomainNotFound, findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { settingsOf } from '../commands/settings/domain-settings.ts'
import { EXIT, CliError } from '../failures.ts'
import { isAccepted } from '../terminal/plan-view.ts'
import { followed } from '../terminal/progress.ts'
import { confirm } from '../terminal/questions.ts'
import type { Session } from '../session.ts'
import { planFile } from '../zone-files.ts'
import { domainFiles, readJson, readRun, type ExportedDomain } from './files.ts'

export interface ImportAllOptions {
  /** Also delete records that are not in the files. */
  replace?: boolean
  createZone?: boolean
  /** Names of provider connections there, by those in the export. */
  connections: ReadonlyMap<string, string>
}

/** What an import does with one domain. */
interface Row {
  domain: string
  /** `add`: it does not exist here; its records are planned once it does. */
  action: 'add' | 'update' | 'none' | 'refused'
  creates: number
  updates: number
  deletes: number
  settings: string[]
  assignments: number
  detail: string
}

type Exported = ExportedDomain & { file: string }

/** Imports the folder of `exportAll`: plans all domains, shows what would happen, asks, and does it one domain after another. */
export async function importAll(session: Session, folder: string, options: ImportAllOptions): Promise<void> {
  const run = await readRun(folder)
  if (run?.finishedAt == null) throw new CliError(EXIT.usage, `${folder} holds no finished export`)
  const client = await session.client()
  const connections = await connectionsOf(client)
  const rows: Row[] = []
  const owners = new Set<string>()
  for (const file of await domainFiles(folder)) {
    const exported = await read(file)
    owners.add(exported.owner)
    rows.push(await planned(session, client, exported, options, connections))
  }
  const { json, yes } = session.options
  if (!json || yes !== true) await session.list(COLUMNS, rows)
  await tellWhatStays(session, owners)
  const isWork = rows.some(({ action }) => action === 'add' || action === 'update')
  if (isWork) {
    await confirm(session, 'Import?')
    await apply(session, client, folder, { rows, options, connections })
    if (json) await session.list(COLUMNS, rows)
  } else if (json && yes === true) await session.list(COLUMNS, rows)
  if (rows.some(({ action }) => action === 'refused')) session.exit = EXIT.refused
}

async function read(file: string): Promise<Exported> {
  const exported = await readJson<ExportedDomain>(`${file}.json`)
  if (exported === null) throw new CliError(EXIT.usage, `${file}.json is missing`)
  return { ...exported, file }
}

async function tellWhatStays(session: Session, owners: ReadonlySet<string>): Promise<void> {
  const { user } = await (await session.client()).GET('/api/v1/token')
  const others = [...owners].filter((owner) => owner !== user.username)
  if (others.length > 0)
    await session.note(
      printable(
        `New domains will belong to ${user.username}; transfer those of ${others.join(', ')} afterwards`,
      ),
    )
  await session.note(
    'Not in an export: provider connections, accounts, tokens, history, comments of records, disabled records',
  )
}

const connectionsOf = async (client: Zonekeeper): Promise<Map<string, string[]>> => {
  const { providerConfigs } = await client.GET('/api/v1/provider-configs')
  const byName = Map.groupBy(providerConfigs, ({ name }) => name)
  return new Map([...byName].map(([name, configs]) => [name, configs.map(({ id }) => id)]))
}

async function existing(client: Zonekeeper, name: string): Promise<Domain | null> {
  try {
    const { id } = await findDomain(client, name)
    return await client.GET('/api/v1/domains/{id}', { path: { id } })
  } catch (error) {
    if (error instanceof DomainNotFound && error.ids.length === 0) return null
    throw error
  }
}

const refused = (domain: string, error: unknown): Row => {
  const isKnown =
    error instanceof ZonekeeperError || error instanceof DomainNotFound || error instanceof CliError
  if (!isKnown || (error instanceof ZonekeeperError && (error.status === 401 || error.problem === null)))
    throw error
  return { ...NOTHING, domain, action: 'refused', detail: error.message }
}

const NOTHING = { creates: 0, updates: 0, deletes: 0, settings: [] as string[], assignments: 0, detail: '' }

async function planned(
  session: Session,
  client: Zonekeeper,
  exported: Exported,
  options: ImportAllOptions,
  connections: ReadonlyMap<string, string[]>,
): Promise<Row> {
  const { name } = exported
  try {
    const domain = await existing(client, name)
    if (domain === null) {
      const connection = connectionFor(exported, options, connections)
      const assignments = exported.assignments?.length ?? 0
      return { ...NOTHING, domain: name, action: 'add', assignments, detail: `at ${connection.name}` }
    }
    const plan = await planOf(session, client, domain, exported, options)
    if (plan.conflicts.length > 0) throw new CliError(EXIT.refused, plan.conflicts[0]?.detail ?? 'conflicts')
    const settings = changedSettings(domain, exported)
    const assignments = (await missingAssignments(client, domain.id, exported)).length
    const counts = {
      creates: plan.creates.length,
      updates: plan.updates.length,
      deletes: plan.deletes.length,
    }
    const isWork = counts.creates + counts.updates + counts.deletes + settings.length + assignments > 0
    return { ...NOTHING, ...counts, domain: name, action: isWork ? 'update' : 'none', settings, assignments }
  } catch (error) {
    return refused(name, error)
  }
}

function connectionFor(
  { connection: { name: old } }: Exported,
  options: ImportAllOptions,
  connections: ReadonlyMap<string, string[]>,
): { name: string; id: string } {
  const name = options.connections.get(old ?? '') ?? old ?? ''
  const [id, ...others] = connections.get(name) ?? []
  if (id === undefined)
    throw new CliError(
      EXIT.notFound,
      `Provider connection ${name} not found; add --connection "${old ?? ''}=NAME"`,
    )
  if (others.length > 0) throw new CliError(EXIT.usage, `Several provider connections are named ${name}`)
  return { name, id }
}

async function planOf(
  session: Session,
  client: Zonekeeper,
  domain: { id: string; name: string },
  { file, isPart }: Exported,
  { replace }: ImportAllOptions,
): Promise<Plan> {
  const text = await readFile(`${file}.zone`, 'utf8').catch(() => {
    throw new CliError(EXIT.usage, `${file}.zone can't be read`)
  })
  // What the export did not see must not be deleted.
  const mode = replace === true && !isPart ? 'replace' : 'merge'
  return (await planFile(session, client, domain, { text, mode, format: 'bind' })).plan
}

type Setting = keyof ExportedDomain['settings']

function changedSettings(domain: Domain, { settings }: Exported): Setting[] {
  const now = settingsOf(domain)
  return (Object.keys(now) as Setting[]).filter(
    (key) => settings[key] !== undefined && JSON.stringify(settings[key]) !== JSON.stringify(now[key]),
  )
}

async function missingAssignments(client: Zonekeeper, domainId: string, { assignments }: Exported) {
  const current = (assignments ?? []).filter(
    ({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > Date.now(),
  )
  if (current.length === 0) return []
  const there = new Set<string>()
  const list = every('assignments', (page) =>
    client.GET('/api/v1/assignments', { query: { domainId, ...page } }),
  )
  for await (const { username, subdomainPattern } of list) there.add(`${username} ${subdomainPattern}`)
  return current.filter(({ username, subdomainPattern }) => !there.has(`${username} ${subdomainPattern}`))
}

interface Work {
  rows: Row[]
  options: ImportAllOptions
  connections: ReadonlyMap<string, string[]>
}

async function apply(session: Session, client: Zonekeeper, folder: string, work: Work): Promise<void> {
  const { rows } = work
  for (const [index, file] of (await domainFiles(folder)).entries()) {
    const row = rows[index]
    if (row?.action !== 'add' && row?.action !== 'update') continue
    const exported = await read(file)
    try {
      const problems = await applyOne(session, client, exported, row, work)
      if (!session.options.json) await session.say(`${printable(row.domain)} imported`)
      for (const problem of problems) await session.note(printable(`${row.domain}: ${problem}`))
      if (problems.length > 0) rows[index] = { ...row, action: 'refused', detail: problems.join('; ') }
    } catch (error) {
      rows[index] = refused(row.domain, error)
      await session.note(printable(`${row.domain}: ${rows[index].detail}`))
    }
  }
}

/** Returns what could not be carried over. */
async function applyOne(
  session: Session,
  client: Zonekeeper,
  exported: Exported,
  row: Row,
  { options, connections }: Work,
): Promise<string[]> {
  const { name, expiresAt, settings } = exported
  const domain =
    row.action === 'add'
      ? await client.POST('/api/v1/domains', {
          body: {
            name,
            providerConfigId: connectionFor(exported, options, connections).id,
            createZone: options.createZone === true,
            ...(expiresAt !== null && { expiresAt }),
          },
        })
      : await findDomain(client, name)
  const path = { id: domain.id }
  if (row.action === 'add') await client.POST('/api/v1/domains/{id}/sync', { path })
  const plan = await planOf(session, client, domain, exported, options)
  if (plan.conflicts.length > 0) throw new CliError(EXIT.refused, plan.conflicts[0]?.detail ?? 'conflicts')
  const { creates, updates, deletes, planId } = plan
  const isSame =
    creates.length === row.creates && updates.length === row.updates && deletes.length === row.deletes
  if (row.action === 'update' && !isSame)
    throw new CliError(EXIT.refused, 'Changed since it was planned; import again')
  if (planId) {
    const answer = await client.POST('/api/v1/domains/{id}/records/apply', { path, body: { planId } })
    if (isAccepted(answer)) {
      const { outcome, problem } = await followed(session, client, answer)
      if (outcome !== 'succeeded')
        throw new CliError(EXIT.failed, problem?.detail ?? 'not all records were imported')
    }
  }
  const problems: string[] = []
  for (const assignment of await missingAssignments(client, domain.id, exported)) {
    try {
      await client.POST('/api/v1/assignments', { body: { domainId: domain.id, ...assignment } })
    } catch (error) {
      if (!(error instanceof ZonekeeperError)) throw error
      problems.push(`${assignment.permission} of ${assignment.username}: ${error.message}`)
    }
  }
  // Last, because a review would stop the rest.
  const changed = changedSettings(await client.GET('/api/v1/domains/{id}', { path }), exported)
  const body = Object.fromEntries(changed.map((key) => [key, settings[key]]))
  if (changed.length > 0) await client.PUT('/api/v1/domains/{id}', { path, body })
  return problems
}

const COLUMNS = [
  { title: 'DOMAIN', of: ({ domain }: Row) => domain, long: true },
  { title: 'ACTION', of: ({ action }: Row) => action },
  { title: 'CREATE', of: ({ action, creates }: Row) => (action === 'add' ? 'all' : creates) },
  { title: 'UPDATE', of: ({ updates }: Row) => updates },
  { title: 'DELETE', of: ({ deletes }: Row) => deletes },
  { title: 'SETTINGS', of: ({ settings }: Row) => settings.join(' '), long: true },
  { title: 'PERMISSIONS', of: ({ assignments }: Row) => assignments },
  { title: 'DETAIL', of: ({ detail }: Row) => detail, long: true },
]
