/**
 * What somebody with an assignment may see and do, written down as tables and not as rules: the test's
 * own idea of it, which shares nothing with the code.
 */

export const NAMES = ['@', 'app', 'b.app', 'dev', 'a.dev', 'x.a.dev', '*.dev', '*', 'other'] as const
export const TYPES = ['A', 'TXT'] as const

const COVERED: Record<string, readonly string[]> = {
  '*': NAMES,
  '@': ['@'],
  app: ['app'],
  '*.dev': ['a.dev', 'x.a.dev', '*.dev'],
  none: [],
  expired: [],
}
const CHANGEABLE: Record<string, readonly string[]> = { read: [], write: ['A', 'TXT'], 'write A': ['A'] }

export interface Target {
  name: string
  type: string
}

/** Every record of a domain of the matrix. */
export const TARGETS: Target[] = NAMES.flatMap((name) => TYPES.map((type) => ({ name, type })))

export const label = ({ name, type }: Target) => `${name} ${type}`

export interface Given {
  pattern: string
  permission: string
}

/** One row of the matrix. That of `expired` (the whole domain) has ended; who has `none` is a stranger. */
export class Holder {
  readonly given: Given[]
  /** Of a token that shows records of these types alone. */
  types: readonly string[] | null = null

  constructor(...given: Given[]) {
    this.given = given
  }

  /** The same, by a token that shows records of these types alone. */
  ofTypes(...types: string[]): Holder {
    const holder = new Holder(...this.given)
    holder.types = types
    return holder
  }

  get title() {
    const parts = this.given.map(({ pattern, permission }) => `${permission} of ${pattern}`).join(' and ')
    return this.types ? `${parts}, ${this.types.join()} alone` : parts
  }

  #shows = ({ type }: Pick<Target, 'type'>) => this.types?.includes(type) ?? true

  get #counting() {
    return this.given.filter(({ pattern }) => pattern !== 'none' && pattern !== 'expired')
  }

  get isStranger() {
    return this.#counting.length === 0
  }

  get hasWhole() {
    return this.types === null && this.given.some(({ pattern }) => pattern === '*')
  }

  get mayWrite() {
    return this.#counting.some(({ permission }) => permission !== 'read')
  }

  sees = ({ name, type }: Target) =>
    this.#shows({ type }) && this.given.some(({ pattern }) => COVERED[pattern]?.includes(name) === true)

  mayChange = ({ name, type }: Target) =>
    this.#shows({ type }) &&
    this.given.some(
      ({ pattern, permission }) =>
        COVERED[pattern]?.includes(name) === true && CHANGEABLE[permission]?.includes(type) === true,
    )

  get seen() {
    return TARGETS.filter(this.sees).map(label)
  }

  /** Of what needs no more than seeing the domain. */
  get reading() {
    return this.isStranger ? 404 : 200
  }

  /** Of what disposes of the domain itself. */
  get managing() {
    return this.isStranger ? 404 : 403
  }

  /** Of a call that changes records, before it is looked at which. */
  get writing() {
    if (this.isStranger) return 404
    return this.mayWrite ? 200 : 403
  }

  creating = (target: Target) => (this.writing !== 200 ? this.writing : this.mayChange(target) ? 201 : 403)

  changing(target: Target, done: number) {
    if (this.writing !== 200) return this.writing
    if (!this.sees(target)) return 404
    return this.mayChange(target) ? done : 403
  }

  get syncing() {
    if (this.isStranger) return 404
    const mayAll = this.given.some(({ pattern, permission }) => pattern === '*' && permission === 'write')
    return mayAll && this.types === null ? 200 : 403
  }
}

export const HOLDERS = [
  ...['*', '@', 'app', '*.dev'].flatMap((pattern) =>
    ['read', 'write', 'write A'].map((permission) => new Holder({ pattern, permission })),
  ),
  new Holder({ pattern: '*', permission: 'read' }, { pattern: '*.dev', permission: 'write' }),
  new Holder({ pattern: 'app', permission: 'write A' }, { pattern: '@', permission: 'write' }),
  new Holder({ pattern: 'expired', permission: 'write' }, { pattern: 'app', permission: 'read' }),
  new Holder({ pattern: 'expired', permission: 'write' }),
  new Holder({ pattern: 'none', permission: 'read' }),
]
