import type { Refused } from './answers.ts'
import type { SimulatedZone } from './dialect.ts'

/** How a provider tells apart what a zone holds. */
export interface HeldRules<T> {
  /** Two with the same key replace each other. */
  key: (item: T) => string
  name: keyof T
  type: keyof T
  /** A CNAME has the same name as others. */
  clash: (item: T, others: T[]) => Refused
}

/** A zone of records or RRsets, of which a CNAME is alone at its name. All methods throw Refused. */
export class HeldZone<T extends object> implements SimulatedZone {
  readonly name: string
  readonly #rules: HeldRules<T>
  #held = new Map<string, T>()
  /** Keys of what came with the zone. */
  readonly #own: ReadonlySet<string>

  constructor(name: string, rules: HeldRules<T>, own: T[]) {
    this.name = name
    this.#rules = rules
    this.#own = new Set(own.map((item) => rules.key(this.hold(item))))
  }

  /** Not copied. */
  protected get held(): T[] {
    return [...this.#held.values()]
  }

  /** Copies of those that did not come with the zone. */
  get added(): T[] {
    return structuredClone(this.held.filter((item) => !this.#own.has(this.#rules.key(item))))
  }

  protected find(key: string): T | undefined {
    return structuredClone(this.#held.get(key))
  }

  /** Whether it was there. */
  protected drop(key: string): boolean {
    return this.#held.delete(key)
  }

  /** Puts it there without any check. */
  hold(item: T): T {
    this.#held.set(this.#rules.key(item), item)
    return structuredClone(item)
  }

  put(item: T): T {
    if (this.clashes(item)) throw this.#rules.clash(item, this.siblings(item))
    return this.hold(item)
  }

  /** Copies of the others of the same name. */
  siblings(item: T): T[] {
    const { key, name } = this.#rules
    const nameOf = (one: T) => String(one[name]).toLowerCase()
    const others = this.held.filter((other) => nameOf(other) === nameOf(item) && key(other) !== key(item))
    return structuredClone(others)
  }

  /** Whether it is a CNAME and has siblings, or has a CNAME among them. */
  protected clashes(item: T): boolean {
    const isAlias = (one: T) => one[this.#rules.type] === 'CNAME'
    const others = this.siblings(item)
    return others.some(isAlias) || (isAlias(item) && others.length > 0)
  }

  /** Changes all or nothing. */
  atOnce<R>(change: () => R): R {
    const before = new Map(this.#held)
    try {
      return change()
    } catch (error) {
      this.#held = before
      throw error
    }
  }
}
