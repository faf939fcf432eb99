/**
 * Who may change the types that say who answers below a name, written down as tables and not as rules. Each holder has
 * assignments of a domain, or is its owner with a restricted token.
 */

export const APEX_TYPES = ['NS', 'DNAME', 'CDS', 'CDNSKEY', 'CSYNC'] as const
export const LOWER_TYPES = ['NS', 'DNAME', 'DS'] as const

const KEY = 'oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTrPYGv07h108dUKGMeDPKijVCHX3DDKdfb+v6oB9wfuh3DTJXUAfI='
const DIGEST = 'b'.repeat(64)
const VALUES: Record<string, readonly [string, string]> = {
  NS: ['ns1.example.net', 'ns2.example.net'],
  DNAME: ['old.example.net', 'new.example.net'],
  DS: [`1 13 2 ${DIGEST}`, `2 13 2 ${DIGEST}`],
  CDS: [`1 13 2 ${DIGEST}`, `2 13 2 ${DIGEST}`],
  CDNSKEY: [`257 3 13 ${KEY}`, `256 3 13 ${KEY}`],
  CSYNC: ['1 3 A NS', '2 3 A NS'],
}

/** What such a record has at first, and another value for it. */
export const valuesOf = (type: string) => VALUES[type] as readonly [string, string]

export interface Target {
  name: string
  type: string
}

const LOWER_NAMES = ['app', 'x.app', 'dev', 'a.dev', 'x.a.dev', '*.dev']

export const TARGETS: Target[] = [
  ...APEX_TYPES.map((type) => ({ name: '@', type })),
  ...LOWER_NAMES.flatMap((name) => LOWER_TYPES.map((type) => ({ name, type }))),
]

export const label = ({ name, type }: Target) => `${name} ${type}`

const all = (...names: string[]) => TARGETS.filter(({ name }) => names.includes(name)).map(label)
const lower = TARGETS.filter(({ name }) => name !== '@').map(label)

export interface Holder {
  title: string
  /** Patterns with what is given: `write`, `read`, or types that may be written. */
  given?: [pattern: string, what: string][]
  /** Of the owner's own token. */
  restrictions?: { namePatterns?: string[]; recordTypes?: string[] }
  sees: string[]
  may: string[]
}

export const HOLDERS: Holder[] = [
  { title: 'one name', given: [['app', 'write']], sees: all('app'), may: [] },
  { title: 'one name, with the types', given: [['app', 'NS,DNAME,DS']], sees: all('app'), may: [] },
  { title: 'the apex', given: [['@', 'write']], sees: all('@'), may: [] },
  {
    title: 'the apex, with the types',
    given: [['@', 'NS,DNAME,CDS,CDNSKEY,CSYNC']],
    sees: all('@'),
    may: [],
  },
  {
    title: 'everything below a name',
    given: [['*.dev', 'write']],
    sees: all('a.dev', 'x.a.dev', '*.dev'),
    may: all('a.dev', 'x.a.dev', '*.dev'),
  },
  {
    title: 'a name and everything below it',
    given: [
      ['app', 'write'],
      ['*.app', 'write'],
    ],
    sees: all('app', 'x.app'),
    may: all('app', 'x.app'),
  },
  {
    title: 'a name, and to read below it',
    given: [
      ['app', 'write'],
      ['*.app', 'read'],
    ],
    sees: all('app', 'x.app'),
    may: [],
  },
  {
    title: 'a name, and addresses below it',
    given: [
      ['app', 'write'],
      ['*.app', 'A'],
    ],
    sees: all('app', 'x.app'),
    may: [],
  },
  {
    title: 'NS of a name, and everything below it',
    given: [
      ['app', 'NS'],
      ['*.app', 'write'],
    ],
    sees: all('app', 'x.app'),
    may: ['app NS', ...all('x.app')],
  },
  {
    title: 'a name, and a name below it',
    given: [
      ['app', 'write'],
      ['x.app', 'write'],
    ],
    sees: all('app', 'x.app'),
    may: [],
  },
  { title: 'the whole domain', given: [['*', 'write']], sees: TARGETS.map(label), may: lower },
  {
    title: 'NS and DNAME of the whole domain',
    given: [['*', 'NS,DNAME']],
    sees: TARGETS.map(label),
    may: lower.filter((found) => !found.endsWith(' DS')),
  },
  { title: 'a token of one name', restrictions: { namePatterns: ['app'] }, sees: all('app'), may: [] },
  { title: 'a token of the apex', restrictions: { namePatterns: ['@'] }, sees: all('@'), may: [] },
  {
    title: 'a token of a name and everything below it, for NS',
    restrictions: { namePatterns: ['app', '*.app'], recordTypes: ['NS'] },
    sees: ['app NS', 'x.app NS'],
    may: ['app NS', 'x.app NS'],
  },
  {
    title: 'a token of a name for NS',
    restrictions: { namePatterns: ['app'], recordTypes: ['NS'] },
    sees: ['app NS'],
    may: [],
  },
  {
    title: 'a token of all names',
    restrictions: { namePatterns: ['*'] },
    sees: TARGETS.map(label),
    may: TARGETS.map(label),
  },
]
