import { memberKey, rrsetKey } from '../../../dns/names/rrset.ts'
import type { Member, RRset } from '../../providers/contract.ts'
import type { RecordContent, Step } from '../plan/change.ts'
import type { StepOutcome } from '../apply/journal/journal-queries.ts'
import { ttlOfMember } from '../apply/provider/provider-contents.ts'

export type PendingStep = Pick<Step, 'action' | 'before' | 'after' | 'providerId'>

/** The RRsets at the provider, by `rrsetKey`. */
type ProviderRRsets = ReadonlyMap<string, RRset | null>

/**
 * Decides from the provider's RRsets whether each step was applied. A step is judged by its own values, unless a value that
 * it removes is added by another step. Such a value proves nothing, so these steps are judged together, by the values that
 * are only added or only removed.
 */
export function judge(steps: PendingStep[], there: ProviderRRsets): StepOutcome[] {
  const outcomes = new Map<PendingStep, StepOutcome>()
  for (const group of interdependent(steps)) {
    const [first] = group
    if (group.length === 1 && first) outcomes.set(first, judgeOne(first, there))
    else for (const [step, outcome] of judgeTogether(group, there)) outcomes.set(step, outcome)
  }
  return steps.map((step) => outcomes.get(step) as StepOutcome)
}

function judgeOne({ action, before, after, providerId }: PendingStep, there: ProviderRRsets): StepOutcome {
  if (action === 'delete') return memberIn(there, before) ? notApplied : { outcome: 'applied', providerId }
  const member = memberIn(there, after)
  if (action === 'create' || !before || !after) return member ? confirmed(member) : notApplied
  // If an update changes only the TTL, the TTL decides.
  if (member && (heldKey(before) !== heldKey(after) || hasTtl(there, after))) return confirmed(member)
  return memberIn(there, before) ? notApplied : neither
}

function judgeTogether(group: PendingStep[], there: ProviderRRsets): [PendingStep, StepOutcome][] {
  const happened = hasHappened(group, there)
  return group.map((step) => {
    const { action, before, after, providerId } = step
    if (!happened) {
      if (action === 'create' || memberIn(there, before)) return [step, notApplied]
      return [step, action === 'delete' ? { outcome: 'applied', providerId } : neither]
    }
    if (action === 'delete') return [step, { outcome: 'applied', providerId }]
    const member = memberIn(there, after)
    if (member) return [step, confirmed(member)]
    // Others removed it since. The old value can't return, because another record has it.
    return [step, action === 'create' ? notApplied : { outcome: 'applied', providerId, unconfirmed: true }]
  })
}

function hasHappened(group: PendingStep[], there: ProviderRRsets): boolean {
  const old = new Map(group.flatMap(({ before }) => (before ? [[heldKey(before), before] as const] : [])))
  const wanted = new Map(group.flatMap(({ after }) => (after ? [[heldKey(after), after] as const] : [])))
  const coming = [...wanted].filter(([key]) => !old.has(key)).map(([, content]) => content)
  const going = [...old].filter(([key]) => !wanted.has(key)).map(([, content]) => content)
  const isThere = (content: RecordContent) => memberIn(there, content) !== undefined
  if (coming.some(isThere)) return true
  if (coming.length + going.length > 0) return going.length > 0 && !going.some(isThere)
  return [...wanted.values()].every((content) => hasTtl(there, content))
}

/** Groups steps that remove a value which another step of the group adds. */
function interdependent(steps: PendingStep[]): PendingStep[][] {
  const moving = steps.filter(({ before, after }) => !before || !after || heldKey(before) !== heldKey(after))
  const bringing = new Map(
    moving.flatMap((step) => (step.after ? [[heldKey(step.after), step] as const] : [])),
  )
  const groups = new Map(steps.map((step) => [step, [step]]))
  for (const step of moving) {
    const other = step.before && bringing.get(heldKey(step.before))
    const [group, others] = [groups.get(step), other && groups.get(other)]
    if (!group || !others || group === others) continue
    group.push(...others)
    for (const member of others) groups.set(member, group)
  }
  return [...new Set(groups.values())]
}

/** Identifies a record at the provider, enabled or not. */
const heldKey = (content: RecordContent): string => `${memberKey(content)} ${content.enabled}`

const memberIn = (there: ProviderRRsets, content: RecordContent | null): Member | undefined =>
  content
    ? there
        .get(rrsetKey(content))
        ?.members.find(
          ({ value, disabled = false }) => value === content.value && disabled !== content.enabled,
        )
    : undefined

const hasTtl = (there: ProviderRRsets, content: RecordContent) => {
  const [rrset, member] = [there.get(rrsetKey(content)), memberIn(there, content)]
  return rrset && member ? ttlOfMember(rrset, member) === content.ttl : rrset?.ttl === content.ttl
}

const confirmed = (member: Member): StepOutcome => ({
  outcome: 'applied',
  providerId: member.providerId ?? null,
})

const notApplied: StepOutcome = {
  outcome: 'failed',
  error: 'The provider did not apply the change',
  code: 'change_not_taken',
}

const neither: StepOutcome = {
  outcome: 'failed',
  error: 'The provider holds neither the old nor the new value',
  code: 'change_neither',
  unconfirmed: true,
}
