import type { Member, Refusal, RRsetEdit } from '../contract.ts'

/** Why a value would be refused. */
type Reason = Omit<Refusal, 'edit' | 'change'>

/** For `Provider.audit`: checks each value that the edits add. */
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

/** For `auditValues`: refuses a CAA with a space in its value. */
export const caaWithoutSpace =
  (provider: string) =>
  ({ value }: Member, { type }: RRsetEdit): Reason | null =>
    type !== 'CAA' || !/\s/.test(value.replace(/^\d+ \S+ /, ''))
      ? null
      : {
          field: 'value',
          code: 'caa_space',
          message: `must not contain a space: ${provider} does not accept it`,
        }
