import type { TObject } from '@sinclair/typebox'
import type { FastifyError, FastifyReply } from 'fastify'
import { invalid, toFieldErrors, type FieldError } from '../errors.ts'
import { bodyChecker } from './validation.ts'

/** The valid part of an object in a body that the schema rejected. */
export interface Fields {
  /** JSON pointer to the object. */
  path: string
  values: Record<string, unknown>
  /** Malformed or missing members. */
  refused: ReadonlySet<string>
}

/** Returns further errors of the well-formed members, with paths in the body. */
type Judge = (objects: Fields[]) => Promise<FieldError[]>

/**
 * For `errorHandler` of routes with checks beyond the schema: when the schema rejects some members, the response also
 * lists what `judge` finds in the others. `schema` describes the objects with nothing required; `objectsIn` finds them in
 * a body, by default the body itself.
 */
export function withAllFaults(
  schema: TObject,
  objectsIn: (body: unknown) => [path: string, object: unknown][] = itself,
) {
  let check: ReturnType<typeof bodyChecker> | undefined

  async function complete(error: FastifyError, body: unknown, judge: Judge): Promise<Error> {
    if (error.validationContext !== 'body') return error
    const errors = toFieldErrors(error.validation ?? [])
    const objects = objectsIn(body).flatMap(([path, object]) => fieldsOf(path, object, errors))
    // Unknown members are already among the errors.
    check ??= bodyChecker(schema, { ignoresUnknown: true })
    // For a large body, not all schema errors are known.
    if (objects.length === 0 || !objects.every(({ values }) => check?.(values).length === 0)) return error
    const found = await judge(objects)
    return found.length === 0 ? error : invalid(...errors, ...found)
  }

  // Continues in the error handler of all routes.
  return (raised: FastifyError, reply: FastifyReply, judge: Judge): void => {
    complete(raised, reply.request.body, judge).then(
      (completed) => reply.send(completed),
      (refusal: unknown) => reply.send(refusal),
    )
  }
}

const itself = (body: unknown): [string, unknown][] => [['', body]]

function fieldsOf(path: string, object: unknown, errors: FieldError[]): Fields[] {
  const isWhole = errors.some((error) => error.path === path)
  if (isWhole || typeof object !== 'object' || object === null) return []
  const inside = errors.filter((error) => error.path.startsWith(`${path}/`))
  const refused = new Set(inside.map((error) => error.path.slice(path.length).split('/')[1] ?? ''))
  const values = Object.fromEntries(Object.entries(object).filter(([name]) => !refused.has(name)))
  return [{ path, values, refused }]
}
