import type { Refused } from './answers.ts'
import { HeldZone } from './held-zone.ts'

/** How a provider of RRsets holds them. */
export interface RRsetRules<S> {
  /** The fields of an RRset that say which one it is. */
  name: keyof S
  type: keyof S
  /** There is no such RRset. */
  missing: (name: string, type: string) => Refused
  /** A CNAME and other RRsets have the same name. */
  clash: (rrset: S, others: S[]) => Refused
}

const keyOf = (name: unknown, type: unknown) => `${String(name).toLowerCase()} ${String(type)}`

/** A zone of RRsets, each written as a whole. A CNAME is alone at its name. All methods throw Refused. */
export class RRsetZone<S extends object> extends HeldZone<S> {
  readonly #rules: RRsetRules<S>

  constructor(name: string, rules: RRsetRules<S>, own: S[] = []) {
    super(name, { ...rules, key: (rrset) => keyOf(rrset[rules.name], rrset[rules.type]) }, own)
    this.#rules = rules
  }

  /** Copies, by name and type. */
  get rrsets(): S[] {
    const { name, type } = this.#rules
    const sorted = this.held
      .map((rrset) => ({ key: keyOf(rrset[name], rrset[type]), rrset }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
    return structuredClone(sorted.map(({ rrset }) => rrset))
  }

  /** Null: there is none. */
  read(name: string, type: string): S | null {
    return this.find(keyOf(name, type)) ?? null
  }

  get(name: string, type: string): S {
    const found = this.read(name, type)
    if (found === null) throw this.#rules.missing(name, type)
    return found
  }

  /** Whether it was there. */
  delete(name: string, type: string): boolean {
    return this.drop(keyOf(name, type))
  }
}
