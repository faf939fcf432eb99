import { readFile } from 'node:fs/promises'
import type { Plan, Zonekeeper } from '../typescript/index.ts'
import { printable } from '../printable.ts'
import { EXIT, CliError } from './failures.ts'
import { isAccepted } from './terminal/plan-view.ts'
import { showWhile } from './terminal/progress.ts'
import { readInput } from './terminal/questions.ts'
import type { Session } from './session.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Number of errors shown for a file. */
const SHOWN_ERRORS = 20

/** Reads a file; `-` is standard input. */
export async function readFileOrInput(terminal: Terminal, file: string): Promise<string> {
  if (file === '-') return readInput(terminal)
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(EXIT.usage, `${file} can't be read (${error.code})`)
  })
}

/** A zone file (RFC 1035), or octoDNS YAML, which the service does not read: it is converted here. */
export type ZoneFormat = 'bind' | 'octodns'

/** Returns the format by the extension of the file name. */
export const formatOf = (file: string): ZoneFormat => (/\.ya?ml$/i.test(file) ? 'octodns' : 'bind')

interface ZoneText {
  text: string
  mode: 'merge' | 'replace'
  format: ZoneFormat
}

interface ZoneDomain {
  id: string
  name: string
}

/** Plans the changes a zone file asks for, and keeps the plan. Notes the records that are left out. */
export async function planFile(
  session: Session,
  client: Zonekeeper,
  { id, name }: ZoneDomain,
  { text, mode, format }: ZoneText,
): Promise<{ plan: Plan; answer: unknown }> {
  if (mode === 'merge' && format === 'octodns')
    throw new CliError(EXIT.usage, 'An octoDNS file is the whole zone; add --replace')
  const zonefile = format === 'octodns' ? await converted(session, text, name) : text
  const planned =
    mode === 'replace'
      ? client.PUT('/api/v1/domains/{id}/zone', {
          path: { id },
          body: zonefile,
          query: { format: 'bind', keep: true },
        })
      : client.POST('/api/v1/domains/{id}/records/import', {
          path: { id },
          body: { zonefile, mode, keep: true },
        })
  const answer = await showWhile(session.terminal, 'Planning…', planned)
  if (isAccepted(answer))
    throw new CliError(EXIT.failed, 'The service started the import instead of planning it')
  await noteSkipped(session, answer.skipped)
  return { plan: answer.plan, answer }
}

/** Returns octoDNS YAML as a zone file. Rejects with CliError if the YAML has errors. */
async function converted(session: Session, text: string, zone: string): Promise<string> {
  const { readOctodns } = await import('./octodns/reader.ts')
  const { zonefile, skipped, errors } = readOctodns(text, zone)
  await noteSkipped(session, skipped)
  if (errors.length === 0) return zonefile
  const shown = errors
    .slice(0, SHOWN_ERRORS)
    .map(({ line, message }) => printable(`line ${line}: ${message}`))
  throw new CliError(EXIT.refused, shown.join('\n  '))
}

async function noteSkipped(
  session: Session,
  skipped: { line: number; name: string; type: string; reason: string }[],
): Promise<void> {
  for (const { line, name, type, reason } of skipped)
    await session.note(printable(`line ${line}: ${name} ${type} left out: ${reason}`))
}

/** Returns the records of a domain in that format. */
export async function exportZone(
  client: Zonekeeper,
  { id, name }: ZoneDomain,
  format: ZoneFormat,
): Promise<string> {
  const zonefile = await client.GET('/api/v1/domains/{id}/zone', { path: { id } })
  if (format === 'bind') return zonefile
  const { writeOctodns } = await import('./octodns/writer.ts')
  return writeOctodns(zonefile, name)
}
