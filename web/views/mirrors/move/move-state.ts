import type { Schemas } from '../../../api/schema.d.ts'

/** The steps of a move, in order. */
export const STEPS = ['mirror', 'inStep', 'delegate', 'verify', 'promote', 'remove'] as const

export type Step = (typeof STEPS)[number]

interface MoveState {
  domain: Pick<Schemas['Domain'], 'providerConfigId'>
  mirrors: readonly Schemas['Mirror'][]
  /** The connection that the domain moves to; undefined: not chosen yet. */
  to: string | undefined
  /** What the parent zone says; undefined: not asked, or no answer yet. */
  delegation: Schemas['MirrorDelegation'] | undefined
  /** The user says that the delegation was changed, where the parent zone doesn't. */
  unchecked: boolean
}

/** Where a move stands. Null: it is complete. */
export function stepOf({ domain, mirrors, to, delegation, unchecked }: MoveState): Step | null {
  if (to === undefined) return 'mirror'
  if (domain.providerConfigId === to) return mirrors.length > 0 ? 'remove' : null
  const mirror = mirrors.find(({ providerConfigId }) => providerConfigId === to)
  if (!mirror) return 'mirror'
  if (mirror.state !== 'in_step') return 'inStep'
  if (!delegation) return 'delegate'
  if (isDelegated(delegation) || (unchecked && isSilent(delegation))) return 'promote'
  return delegation.state === 'both' || delegation.state === 'unknown' ? 'verify' : 'delegate'
}

/** Mirrors at other providers than the new one; right after promoting, the list may be older than the domain. */
export const leftOf = (mirrors: readonly Schemas['Mirror'][], to: string | undefined) =>
  mirrors.filter(({ providerConfigId }) => providerConfigId !== to)

/** Whether the parent names servers of the mirror only. Both providers may have the same. */
function isDelegated({ parent, mirror }: Schemas['MirrorDelegation']): boolean {
  const ofMirror = new Set(mirror.map(plain))
  return parent.length > 0 && parent.every((name) => ofMirror.has(plain(name)))
}

/** Whether the parent can't say to whom it delegates, so that the user has to. */
export const isSilent = ({ state }: Schemas['MirrorDelegation']) => state === 'unknown' || state === 'none'

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')
