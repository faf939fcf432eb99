/** Record fields that a filter matches; `states` as shown. */
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

/** States for `is:changed` and the like. */
export const STATES = ['new', 'changed', 'deleted', 'failed', 'pending', 'disabled', 'proxied'] as const

/** Words of a filter; quoted text is one word. */
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
 * Test for a filter: every word must match name, value, type or comment; `type:MX`, `ttl:<300`, `is:changed`, `name:`
 * and `value:` narrow it. Null if it matches everything.
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

/** Words with a field or state (`type:MX`), without repeats, as typed. */
export const recognised = (text: string): string[] => [...new Set(wordsOf(text).filter(isRecognised))]

/** Removes a word from a filter. */
export const without = (text: string, word: string): string =>
  wordsOf(text)
    .filter((one) => one !== word)
    .join(' ')

/** Adds a word to a filter; types are combined. */
export function withWord(text: string, word: string): string {
  const words = wordsOf(text)
  const types = words.findIndex((one) => word.startsWith('type:') && /^type:./i.test(one))
  if (types < 0) return [...words, word].join(' ')
  const [, type = ''] = word.split(':')
  return words.map((one, at) => (at === types ? `${one},${type}` : one)).join(' ')
}

/** The part of a filter that the service can search for. */
export interface Asked<T extends string> {
  search?: string
  in: 'name' | 'value' | 'name,value'
  type: T[]
}

/**
 * Search for a zone that is not fully loaded: the longest word and the types; the other words are matched here. Null if
 * there is nothing to search for.
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
