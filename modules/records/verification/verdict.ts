import type { CheckedServer } from '../../../db/tables/index.ts'
import type { RRsetKey } from '../../../dns/names/rrset.ts'

/** How a server stands to some RRsets. */
export interface ServerVerdict {
  state: 'agrees' | 'differs' | 'no_answer' | 'refused' | 'lame' | 'not_comparable'
  /** The first RRset that the server answers in another way. */
  first: CheckedServer['other'][number] | null
}

/** `concerns`: the RRsets that count, such as those of one change or those a caller sees. */
export function verdictOf(server: CheckedServer, concerns: (key: RRsetKey) => boolean): ServerVerdict {
  if (server.state === 'unavailable') return { state: 'not_comparable', first: null }
  if (server.state !== 'answered') return { state: server.state, first: null }
  const others = server.other.filter(concerns)
  const first = others.find(({ state }) => state === 'differs') ?? others[0] ?? null
  return { state: first?.state ?? 'agrees', first }
}

/** Whether servers that were compared all agree, and at least one was. */
export const areAgreed = (verdicts: readonly ServerVerdict[]): boolean =>
  verdicts.some(({ state }) => state === 'agrees') &&
  verdicts.every(({ state }) => state === 'agrees' || state === 'not_comparable')

/** Whether all servers answered, but nothing that could be compared. */
export const areIncomparable = (servers: readonly CheckedServer[], verdicts: readonly ServerVerdict[]) =>
  servers.some(({ state }) => state === 'answered') &&
  verdicts.every(({ state }) => state === 'not_comparable')
