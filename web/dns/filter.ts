/** What a filter looks at; `state` as it is shown. */
export interface Filtered {
  name: string
  unicodeName?: string
  recordType: string
  value: string
  ttl: number | null
  enabled: boolean
  comment: string
  states: readonly string[]
}

type Test = (record: Filtered) => boolean

/** Words that stand for a state: `is:changed`. */
export const STATES = ['new', 'changed', 'deleted', 'failed', 'pending', 'disabled', 'proxied'] as const

const includes = (text: string | undefined, word: string) => text?.toLowerCase().includes(word) === true

function ttlTest(text: string): Test | null {
  const [, sign = '=', seconds] = /^([<>]?)=?(\d+)$/.exec(text) ?? []
  if (seconds === undefined) return null
  const wanted = Number(seconds)
  if (sign === '<') return ({ ttl }) => ttl !== null && ttl < wanted
  if (sign === '>') return ({ ttl }) => ttl !== null && ttl > wanted
  return ({ ttl }) => ttl === wanted
}

function testOf(word: string): Test {
  const [field = '', ...rest] = word.split(':')
  const text = rest.join(':')
  if (text !== '') {
    switch (field) {
      case 'type':
        return ({ recordType }) => text.split(',').includes(recordType.toLowerCase())
      case 'name':
        return ({ name, unicodeName }) => includes(name, text) || includes(unicodeName, text)
      case 'value':
        return ({ value }) => includes(value, text)
      case 'is':
        return ({ states }) => states.includes(text)
      case 'ttl': {
        const test = ttlTest(text)
        if (test) return test
        break
      }
      default:
    }
  }
  return ({ name, unicodeName, value, recordType, comment }) =>
    includes(name, word) ||
    includes(unicodeName, word) ||
    includes(value, word) ||
    includes(comment, word) ||
    recordType.toLowerCase() === word
}

/**
 * The test of a filter: every word must fit name, value, type or comment; `type:MX`, `ttl:<300`, `is:changed`,
 * `name:` and `value:` say where. Null where it lets everything through.
 */
export function filterOf(text: string): Test | null {
  const tests = (text.toLowerCase().match(/"[^"]*"|\S+/g) ?? []).map((word) =>
    testOf(word.replaceAll('"', '')),
  )
  return tests.length === 0 ? null : (record) => tests.every((test) => test(record))
}
