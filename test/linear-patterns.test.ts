import t from 'tap'
import { call, startApp } from './helpers/app.ts'

/* The patterns of schemas run on whatever anybody sends, before its length is known to be right. */

const LENGTH = 60_000
/** Of one pattern on one text; what grows with the square of the length takes seconds. */
const MAX_MS = 300

const { app } = await startApp(t, {})
const { body } = await call(app, { url: '/openapi.json' })

function patternsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  if ('pattern' in value && typeof value.pattern === 'string') found.add(value.pattern)
  for (const member of Object.values(value)) patternsIn(member, found)
  return found
}

void t.test('no pattern of a schema takes more than time linear in the length', (t) => {
  const parts = [
    'a',
    '0',
    '.',
    '-',
    '_',
    ' ',
    '@',
    ':',
    '/',
    '"',
    '\\',
    '%',
    '=',
    '\n',
    'a.',
    'a-',
    'a@',
    '1.',
    '::',
    ', ',
    '\\"',
    'a@a.',
  ]
  const patterns = patternsIn(body)
  t.ok(patterns.size > 10)
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, 'u')
    for (const part of parts) {
      const text = part.repeat(LENGTH / part.length)
      for (const tried of [text, `${text}!`, `a@${text}`]) {
        const begun = performance.now()
        expression.test(tried)
        const took = performance.now() - begun
        if (took > MAX_MS) t.fail(`${pattern} takes ${took} ms for ${JSON.stringify(part)}`)
      }
    }
  }
  t.end()
})
