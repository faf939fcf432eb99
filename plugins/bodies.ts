import fp from 'fastify-plugin'
import { invalid, type FieldError } from './errors.ts'

/** Ours have four levels at most; thousands would overflow the stack of whatever walks them. */
const MAX_DEPTH = 32

/**
 * Bodies are JSON, or there is none: an empty one with a JSON content type counts as none, as clients send
 * it with DELETE and POST. Text that PostgreSQL can't store (NUL, half a surrogate pair) is refused here.
 */
export default fp(
  async (app) => {
    const parse = app.getDefaultJsonParser('error', 'error')
    app.removeAllContentTypeParsers()
    app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
      if (text === '') return done(null, undefined)
      void parse(request, text, (error, value) => {
        const fault = error ? null : faultOf(value)
        if (fault === null) done(error, value)
        else done(invalid(fault))
      })
    })

    app.addHook('preValidation', (request, _reply, done) => {
      if (!request.url.includes('%00')) return done()
      // A route that looks at the faults of its query itself has an answer of its own for this one.
      const query = request.routeOptions.attachValidation === true ? null : request.query
      const fault = faultOf(request.params) ?? faultOf(query)
      done(fault === null ? undefined : invalid(fault))
    })
  },
  { name: 'bodies', dependencies: ['errors'] },
)

/** The first name or text that can't be stored, or what is nested too deeply; null when there is none. */
function faultOf(value: unknown, path = '', depth = 0): FieldError | null {
  if (typeof value === 'string') return isText(value) ? null : unstorable(path)
  if (typeof value !== 'object' || value === null) return null
  if (depth === MAX_DEPTH) return { path, message: 'is nested too deeply' }
  for (const [name, member] of Object.entries(value)) {
    if (!isText(name)) return unstorable(path)
    const fault = faultOf(member, `${path}/${name}`, depth + 1)
    if (fault !== null) return fault
  }
  return null
}

const isText = (text: string) => text.isWellFormed() && !text.includes('\0')

const unstorable = (path: string): FieldError => ({
  path,
  message: 'must not contain NUL or half a surrogate pair',
})
