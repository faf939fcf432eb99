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

/** For `auditValues`: refuses an SRV that says that there is no such service (RFC 2782). */
export const srvWithServer =
  (provider: string) =>
  ({ value }: Member, { type }: RRsetEdit): Reason | null =>
    type === 'SRV' && value.endsWith(' .')
      ? { field: 'value', code: 'srv_target', message: `must name a server at ${provider}` }
      : null

/** For `auditValues`: refuses an ALIAS below the apex. */
export const aliasAtApex =
  (message: string) =>
  (_: Member, { name, type }: RRsetEdit): Reason | null =>
    type === 'ALIAS' && name !== '@' ? { field: 'name', code: 'alias_apex', message } : null

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
