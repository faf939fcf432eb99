import { setTimeout as sleep } from 'node:timers/promises'
import type { Mirror, Schemas, Zonekeeper } from '../../typescript/index.ts'
import { printable } from '../../printable.ts'
import { CliError, EXIT } from '../failures.ts'
import type { Session } from '../session.ts'

const PAUSE_MS = 2_000

/** Waits until a mirror has every change, and says why it does not. */
export async function caughtUp(
  session: Session,
  client: Zonekeeper,
  id: string,
  added: Mirror,
): Promise<Mirror> {
  let mirror = added
  let told: string | null = null
  while (mirror.state === 'behind') {
    if (mirror.error !== null && mirror.error !== told) await session.note(`   ${printable(mirror.error)}`)
    told = mirror.error
    await sleep(PAUSE_MS)
    const path = { id, mirrorId: mirror.id }
    mirror = await client.GET('/api/v1/domains/{id}/mirrors/{mirrorId}', { path })
  }
  return mirror
}

/** Rejects unless the mirror is in step. */
export function requireInStep({ state, error, findings }: Mirror): void {
  if (state === 'in_step') return
  const why = error ?? findings.find(({ missing }) => missing)?.message ?? 'compare and sync it'
  throw new CliError(EXIT.different, `The mirror is not in step (${state}): ${printable(why)}`)
}

/** Names as a line. */
export const shown = (names: readonly string[]) =>
  names.length === 0 ? 'unknown' : names.map(printable).join(' ')

/** What a plan comes to. */
export const countsOf = ({ creates, updates, deletes, conflicts }: Schemas['Plan']) =>
  `${creates.length} to create, ${updates.length} to change, ${deletes.length} to delete, ${conflicts.length} not supported`

/** A mirror as lines. */
export const linesOf = ({ id, providerName, state, behind, error, findings, nameServers }: Mirror) => [
  `${printable(providerName)} ${state}${behind > 0 ? ` by ${behind} changes` : ''} (${id})`,
  ...(error === null ? [] : [`  ${printable(error)}`]),
  ...findings.map(({ message, missing }) => `  ${missing ? 'missing: ' : ''}${printable(message)}`),
  `  Name servers: ${shown(nameServers)}`,
]
