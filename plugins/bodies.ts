import fp from 'fastify-plugin'
import { invalid } from './errors.ts'

/** Escapes that may stand for what is no text: NUL and halves of a surrogate pair. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

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
        const path = error || !SUSPECT.test(text) ? null : badText(value)
        if (path === null) done(error, value)
        else done(unstorable(path))
      })
    })

    app.addHook('preValidation', (request, _reply, done) => {
      if (!request.url.includes('%00')) return done()
      const path = badText(request.params) ?? badText(request.query)
      done(path === null ? undefined : unstorable(path))
    })
  },
  { name: 'bodies', dependencies: ['errors'] },
)

const unstorable = (path: string) => invalid({ path, message: 'must not contain NUL or half a surrogate pair' })

/** The JSON pointer of the first name or text that can't be stored, or null. */
function badText(value: unknown): string | null {
  if (typeof value === 'string') return isText(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    if (!isText(name)) return ''
    const path = badText(member)
    if (path !== null) return `/${name}${path}`
  }
  return null
}

const isText = (text: string) => text.isWellFormed() && !text.includes('\0')
