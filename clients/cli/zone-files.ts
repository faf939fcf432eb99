import { readFile } from 'node:fs/promises'
import type { Plan, Zonekeeper } from '../typescript/index.ts'
import { EXIT, Failure, printable } from './failures.ts'
import { isAccepted } from './plan-view.ts'
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

/** What a zone file asks for, as a kept plan. What is not taken from it is noted. */
export async function planFile(
  session: Session,
  client: Zonekeeper,
  domainId: string,
  zonefile: string,
  mode: 'merge' | 'replace',
): Promise<{ plan: Plan; answer: unknown }> {
  const answer = await client.importZoneFile(domainId, { zonefile, mode, keep: true })
  if (isAccepted(answer)) throw new Failure(EXIT.failed, 'The service did not plan, and began to import')
  for (const { line, name, type, reason } of answer.skipped)
    await session.note(printable(`line ${line}: ${name} ${type} is left out: ${reason}`))
  return { plan: answer.plan, answer }
}
