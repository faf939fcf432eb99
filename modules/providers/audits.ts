import type { Member, Refusal, RRsetEdit } from './contract.ts'

/** Why a value is refused. */
type Reason = Omit<Refusal, 'edit' | 'change'>

/** For `Provider.audit`: judges each value that the edits put there. */
export const auditValues = (
  edits: readonly RRsetEdit[],
  whyNot: (member: Member, edit: RRsetEdit) => Reason | null,
): Refusal[] =>
  edits.flatMap((each, edit) =>
    each.changes.flatMap((one, change): Refusal[] => {
      if (one.action === 'remove') return []
      const reason = whyNot(one.action === 'add' ? one.member : one.to, each)
      return reason === null ? [] : [{ edit, change, ...reason }]
    }),
  )
