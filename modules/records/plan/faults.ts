import type { Caller } from '../../../plugins/security/access/index.ts'
import type { Fields } from '../../../plugins/http/validation/all-faults.ts'
import type { FieldError } from '../../../plugins/http/errors.ts'
import type { RecordContext } from '../context.ts'
import type { RecordInput, RequestedChange } from './change.ts'
import { previewChanges } from './preview.ts'

/** A change as the body of a request has it. */
export interface ChangeBody extends RecordInput {
  action: 'create' | 'update' | 'delete' | 'set'
  recordId?: string
  version?: number
  /** Of `set`. */
  values?: string[]
}

/** Fields that make up the value; when one of them is malformed, the others are not checked. */
const VALUE_FIELDS = ['value', 'strings', 'data', 'priority']

/**
 * Returns what is wrong with the names and values of changes that also have malformed fields. Rejects when the caller
 * does not see the domain.
 */
export async function faultsOfChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  objects: Fields[],
): Promise<FieldError[]> {
  const changes = objects.map(({ path, values, refused }) => {
    const change = values as unknown as ChangeBody
    const missing = refused.has('action') ? [] : missingIn(change).filter((error) => isJudged(error, refused))
    return { path, change, missing, refused: new Set([...refused, ...missing.map(fieldOf)]) }
  })
  // The values of a `set` are checked when it is planned.
  const planned = changes.filter(
    ({ change, refused }) => change.action !== 'set' && !refused.has('action') && !refused.has('recordId'),
  )
  const requests = planned.map(({ change }) => change as RequestedChange)
  const intent = { kind: 'requests', source: 'apply', requests } as const
  const { refusals } = await previewChanges(context, caller, domainId, intent, { asksProvider: false })
  const wrong = refusals.map(({ index, errors }) => {
    const { path = '', refused = new Set<string>() } = planned[index] ?? {}
    return { path, errors: errors.filter((error) => isJudged(error, refused)) }
  })
  return [...changes.map(({ path, missing }) => ({ path, errors: missing })), ...wrong].flatMap(
    ({ path, errors }) => errors.map((error) => ({ ...error, path: `${path}${error.path}` })),
  )
}

const fieldOf = ({ path }: FieldError) => path.split('/')[1] ?? ''

function isJudged(error: FieldError, refused: ReadonlySet<string>): boolean {
  const field = fieldOf(error)
  const needed = VALUE_FIELDS.includes(field) ? ['recordType', ...VALUE_FIELDS] : [field]
  return !needed.some((name) => refused.has(name))
}

/** Returns an error for each field that the action needs and the change lacks. */
export function missingIn(change: ChangeBody): FieldError[] {
  const creates = [
    'recordType',
    'name',
    ...(change.strings || change.data ? [] : ['value' as const]),
  ] as const
  const sets = ['recordType', 'name', 'values'] as const
  const needed =
    change.action === 'create' ? creates : change.action === 'set' ? sets : (['recordId'] as const)
  return needed
    .filter((field) => change[field] === undefined)
    .map((field) => ({ path: `/${field}`, code: 'required', message: `is required to ${change.action}` }))
}
