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

type RecordTest = (record: Filtered) => boolean

/** Words that stand for a state: `is:changed`. */
export const STATES = ['new', 'changed', 'deleted', 'failed', 'pending', 'disabled', 'proxied'] as const

/** The words of a filter; what is in quotes is one. */
const wordsOf = (text: string): string[] => text.match(/"[^"]*"|\S+/g) ?? []

const includes = (text: string | undefined, word: string) => text?.toLowerCase().includes(word) === true

function ttlTest(text: string): RecordTest | null {
  const [, sign = '=', seconds] = /^([<>]?)=?(\d+)$/.exec(text) ?? []
  if (seconds === undefined) return null
  const wanted = Number(seconds)
  if (sign === '<') return ({ ttl }) => ttl !== null && ttl < wanted
  if (sign === '>') return ({ ttl }) => ttl !== null && ttl > wanted
  return ({ ttl }) => ttl === wanted
}

function testOf(word: string): RecordTest {
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
export function filterOf(text: string): RecordTest | null {
  const tests = wordsOf(text.toLowerCase()).map((word) => testOf(word.replaceAll('"', '')))
  return tests.length === 0 ? null : (record) => tests.every((test) => test(record))
}

function isRecognised(word: string): boolean {
  const [, field = '', own = ''] = /^(type|name|value|is|ttl):(.+)$/.exec(word.toLowerCase()) ?? []
  if (field === 'ttl') return ttlTest(own) !== null
  return field === 'is' ? STATES.some((state) => state === own) : field !== ''
}

/** The words of a filter that say where to look, or at what state: each once, as it was typed. */
export const recognised = (text: string): string[] => [...new Set(wordsOf(text).filter(isRecognised))]

/** A filter without a word. */
export const without = (text: string, word: string): string =>
  wordsOf(text)
    .filter((one) => one !== word)
    .join(' ')

/** A filter with one word more; of types each one fits. */
export function withWord(text: string, word: string): string {
  const words = wordsOf(text)
  const types = words.findIndex((one) => word.startsWith('type:') && /^type:./i.test(one))
  if (types < 0) return [...words, word].join(' ')
  const [, type = ''] = word.split(':')
  return words.map((one, at) => (at === types ? `${one},${type}` : one)).join(' ')
}

/** What of a filter the service can look for. */
export interface Asked<T extends string> {
  search?: string
  in: 'name' | 'value' | 'name,value'
  type: T[]
}

/**
 * What the service is asked for of a zone that is not all here: the longest word, and the types. The other words are
 * tried here, on what it answers. Null: the filter has nothing that it can look for.
 */
export function askedOf<T extends string>(text: string, types: readonly T[]): Asked<T> | null {
  const words = wordsOf(text).map((word) => word.replaceAll('"', ''))
  const asked: Asked<T> = { in: 'name,value', type: [] }
  for (const word of words) {
    const [, field = '', own = word] = /^(type|name|value|is|ttl):(.+)$/i.exec(word) ?? []
    const named = own.toUpperCase().split(',')
    const known = types.filter((type) => named.includes(type))
    if (field === 'is' || field === 'ttl') continue
    if (field === 'type' || (field === '' && known.length === 1)) asked.type.push(...known)
    else if (own.length > (asked.search ?? '').length) {
      asked.search = own
      asked.in = field === 'name' || field === 'value' ? field : 'name,value'
    }
  }
  return asked.search === undefined && asked.type.length === 0 ? null : asked
}
