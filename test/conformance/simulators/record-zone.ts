import type { Refused } from './answers.ts'
import type { SimulatedZone } from './dialect.ts'

/** How a provider of records with ids holds them. */
export interface RecordRules<R> {
  /** The fields of a record that say what it is. */
  id: keyof R
  name: keyof R
  type: keyof R
  /** There is no record with this id. */
  missing: (id: string) => Refused
  /** A CNAME and other records have the same name. */
  clash: (record: R) => Refused
}

/** A zone of records with ids, each written alone. A CNAME stands alone at its name. All methods throw Refused. */
export class RecordZone<R extends object> implements SimulatedZone {
  readonly name: string
  protected readonly rules: RecordRules<R>
  #records = new Map<string, R>()
  /** Ids of the records that came with the zone. */
  readonly #own = new Set<string>()

  constructor(name: string, rules: RecordRules<R>, own: R[] = []) {
    this.name = name
    this.rules = rules
    for (const record of own) this.#own.add(this.#idOf(this.hold(record)))
  }

  #idOf(record: R): string {
    return String(record[this.rules.id])
  }

  /** Copies. */
  get records(): R[] {
    return structuredClone([...this.#records.values()])
  }

  /** Copies of those that did not come with the zone. */
  get added(): R[] {
    return this.records.filter((record) => !this.#own.has(this.#idOf(record)))
  }

  /** What of the added records is the same after they are made again. */
  get lasting(): string[] {
    return this.added.map((record) => JSON.stringify({ ...record, [this.rules.id]: null })).sort()
  }

  /** Puts a record there without any check. */
  hold(record: R): R {
    this.#records.set(this.#idOf(record), record)
    return structuredClone(record)
  }

  has(id: unknown): boolean {
    return this.#records.has(String(id))
  }

  get(id: unknown): R {
    const found = this.#records.get(String(id))
    if (found === undefined) throw this.rules.missing(String(id))
    return structuredClone(found)
  }

  /** Copies of the other records of the same name. */
  siblings(record: R): R[] {
    const { name } = this.rules
    const id = this.#idOf(record)
    const found = [...this.#records.values()].filter(
      (other) => other[name] === record[name] && this.#idOf(other) !== id,
    )
    return structuredClone(found)
  }

  put(record: R): R {
    if (this.clashes(record)) throw this.rules.clash(record)
    return this.hold(record)
  }

  delete(id: unknown): void {
    this.get(id)
    this.#records.delete(String(id))
  }

  /** Changes all or nothing. */
  atOnce<T>(change: () => T): T {
    const before = new Map(this.#records)
    try {
      return change()
    } catch (error) {
      this.#records = before
      throw error
    }
  }

  /** Whether the record is a CNAME beside others, or one of these beside a CNAME. */
  protected clashes(record: R): boolean {
    const isAlias = (one: R) => one[this.rules.type] === 'CNAME'
    const others = this.siblings(record)
    return others.some(isAlias) || (isAlias(record) && others.length > 0)
  }
}
