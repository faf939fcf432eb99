import { readFile } from 'node:fs/promises'
import type { Plan, Zonekeeper } from '../typescript/index.ts'
import { printable } from '../printable.ts'
import { EXIT, Failure } from './failures.ts'
import { isAccepted } from './plan-view.ts'
import { during } from './progress.ts'
import { readInput } from './questions.ts'
import type { Session } from './session.ts'
import type { Terminal } from './terminal.ts'

/** The text of a file; `-` is the standard input. */
export async function readFileOrInput(terminal: Terminal, file: string): Promise<string> {
  if (file === '-') return readInput(terminal)
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Failure(EXIT.usage, `${file} can't be read (${error.code})`)
  })
}

export type ZoneFormat = 'bind' | 'octodns'

/** By the end of its name. */
export const formatOf = (file: string): ZoneFormat => (/\.ya?ml$/i.test(file) ? 'octodns' : 'bind')

interface ZoneText {
  text: string
  mode: 'merge' | 'replace'
  format: ZoneFormat
}

/** What a zone file asks for, as a kept plan. What is not taken from it is noted. */
export async function planFile(
  session: Session,
  client: Zonekeeper,
  domainId: string,
  { text, mode, format }: ZoneText,
): Promise<{ plan: Plan; answer: unknown }> {
  if (mode === 'merge' && format === 'octodns')
    throw new Failure(EXIT.usage, 'A file of octoDNS is the whole zone: say --replace')
  const planned =
    mode === 'replace'
      ? client.PUT('/api/v1/domains/{id}/zone', {
          path: { id: domainId },
          body: text,
          query: { format, keep: true },
        })
      : client.POST('/api/v1/domains/{id}/records/import', {
          path: { id: domainId },
          body: { zonefile: text, mode, keep: true },
        })
  const answer = await during<Awaited<typeof planned>>(session.terminal, 'The service plans …', planned)
  if (isAccepted(answer)) throw new Failure(EXIT.failed, 'The service did not plan, and began to import')
  for (const { line, name, type, reason } of answer.skipped)
    await session.note(printable(`line ${line}: ${name} ${type} is left out: ${reason}`))
  return { plan: answer.plan, answer }
}
