import type { Assignment, DomainListItem, Zonekeeper } from '../../typescript/index.ts'
import { every } from '../../typescript/paging.ts'
import { ZonekeeperError } from '../../typescript/problem.ts'
import { printable } from '../../printable.ts'
import { exportZone } from '../zone-files.ts'
import type { Session } from '../session.ts'
import { beginRun, fileOf, finishRun, readJson, toExported, writeJson, writeWhole } from './files.ts'

const LIMIT = 200

/**
 * Writes all domains that the token sees to a folder: records, settings and permissions of others, one domain in memory at a
 * time. An interrupted export continues in the same folder.
 */
export async function exportAll(session: Session, folder: string): Promise<void> {
  const client = await session.client()
  const run = await beginRun(folder, session.url)
  const { restrictions, permissions } = await client.GET('/api/v1/token')
  const isNarrowed = restrictions?.namePatterns !== undefined || restrictions?.recordTypes !== undefined
  const mayReadAssignments = permissions.includes('assignments:read') && restrictions === null
  const totals = { domains: 0, written: 0, parts: 0, unmanaged: 0 }
  for await (const domain of every('domains', (page) =>
    client.GET('/api/v1/domains', { query: { limit: LIMIT, sort: 'name', ...page } }),
  )) {
    totals.domains++
    const file = fileOf(folder, domain)
    const there = await readJson<{ exportedAt: string }>(`${file}.json`)
    if (there !== null && there.exportedAt >= run.startedAt) continue
    const isPart = isNarrowed || !WHOLE.has(domain.access)
    const unmanaged = await writeDomain(client, file, domain, { isPart, mayReadAssignments })
    if (unmanaged === null) {
      await session.note(`${printable(domain.name)} was removed meanwhile`)
      continue
    }
    totals.written++
    totals.unmanaged += unmanaged
    if (isPart) totals.parts++
  }
  await finishRun(folder, run)
  if (session.options.json) return session.answer(totals)
  await session.say(`${totals.written} of ${totals.domains} domains written to ${folder}`)
  if (totals.parts > 0)
    await session.say(`${totals.parts} of them only in part: the token does not see the rest`)
  if (totals.unmanaged > 0) await session.say(`${totals.unmanaged} records are not managed here and left out`)
  if (!mayReadAssignments)
    await session.say(
      'Permissions of others are left out: the token needs assignments:read and no restrictions',
    )
  await session.say(
    'Left out: provider connections with their secrets, accounts, tokens, history, comments of records, disabled records',
  )
}

const WHOLE: ReadonlySet<string> = new Set(['owner', 'admin'])

/** Returns the number of unmanaged records; null if the domain no longer exists. */
async function writeDomain(
  client: Zonekeeper,
  file: string,
  { id }: DomainListItem,
  { isPart, mayReadAssignments }: { isPart: boolean; mayReadAssignments: boolean },
): Promise<number | null> {
  try {
    const domain = await client.GET('/api/v1/domains/{id}', { path: { id } })
    const assignments = mayReadAssignments ? await assignmentsOf(client, id) : null
    await writeWhole(`${file}.zone`, await exportZone(client, domain, 'bind'))
    // Written last: a domain with this file is complete.
    await writeJson(`${file}.json`, toExported(domain, assignments, isPart))
    return domain.unmanaged
  } catch (error) {
    if (error instanceof ZonekeeperError && error.status === 404) return null
    throw error
  }
}

async function assignmentsOf(client: Zonekeeper, domainId: string): Promise<Assignment[]> {
  const all: Assignment[] = []
  const list = every('assignments', (page) =>
    client.GET('/api/v1/assignments', { query: { domainId, limit: LIMIT, ...page } }),
  )
  for await (const assignment of list) all.push(assignment)
  return all
}
