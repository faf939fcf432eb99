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

/** One row of the matrix: `none` has no assignment, that of `expired` (the whole domain) has ended. */
export class Holder {
  readonly pattern: string
  readonly permission: string

  constructor(pattern: string, permission: string) {
    this.pattern = pattern
    this.permission = permission
  }

  get isStranger() {
    return this.pattern === 'none' || this.pattern === 'expired'
  }

  get hasWhole() {
    return this.pattern === '*'
  }

  sees = ({ name }: Pick<Target, 'name'>) => COVERED[this.pattern]?.includes(name) === true

  mayChange = (target: Target) =>
    this.sees(target) && CHANGEABLE[this.permission]?.includes(target.type) === true

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
    return this.permission === 'read' ? 403 : 200
  }

  creating = (target: Target) => (this.writing !== 200 ? this.writing : this.mayChange(target) ? 201 : 403)

  changing(target: Target, done: number) {
    if (this.writing !== 200) return this.writing
    if (!this.sees(target)) return 404
    return this.mayChange(target) ? done : 403
  }

  get syncing() {
    if (this.isStranger) return 404
    return this.hasWhole && this.permission === 'write' ? 200 : 403
  }
}

export const HOLDERS = [
  ...['*', '@', 'app', '*.dev'].flatMap((pattern) =>
    ['read', 'write', 'write A'].map((permission) => new Holder(pattern, permission)),
  ),
  new Holder('none', 'read'),
  new Holder('expired', 'write'),
]
