import type { Refused } from './answers.ts'
import { HeldZone } from './held-zone.ts'

/** How a provider of records with ids holds them. */
export interface RecordRules<R> {
  /** The fields of a record that say what it is. */
  id: keyof R
  name: keyof R
  type: keyof R
  /** The field by which records of the same name do not affect each other. */
  line?: keyof R
  /** The fields that differ when the record is made again. */
  times?: readonly (keyof R)[]
  /** There is no record with this id. */
  missing: (id: string) => Refused
  /** A CNAME and other records have the same name. */
  clash: (record: R) => Refused
  /** Two records of a name with the same identity are refused. */
  twins?: { identity: (record: R) => string; refuse: (record: R) => Refused }
}

/** A zone of records with ids, each written alone. A CNAME stands alone at its name. All methods throw Refused. */
export class RecordZone<R extends object> extends HeldZone<R> {
  protected readonly rules: RecordRules<R>

  constructor(name: string, rules: RecordRules<R>, own: R[] = []) {
    super(name, { ...rules, key: (record) => String(record[rules.id]) }, own)
    this.rules = rules
  }

  /** Copies. */
  get records(): R[] {
    return structuredClone(this.held)
  }

  override siblings(record: R): R[] {
    const { line } = this.rules
    return super.siblings(record).filter((other) => line === undefined || other[line] === record[line])
  }

  override put(record: R): R {
    const { twins } = this.rules
    if (twins && this.siblings(record).some((other) => twins.identity(other) === twins.identity(record)))
      throw twins.refuse(record)
    return super.put(record)
  }

  /** What of the added records is the same after they are made again. */
  get lasting(): string[] {
    const { id, times = [] } = this.rules
    const passing = new Set<PropertyKey>([id, ...times])
    const lastingOf = (record: R) => Object.entries(record).filter(([field]) => !passing.has(field))
    return this.added.map((record) => JSON.stringify(Object.fromEntries(lastingOf(record)))).sort()
  }

  has(id: unknown): boolean {
    return this.find(String(id)) !== undefined
  }

  get(id: unknown): R {
    const found = this.find(String(id))
    if (found === undefined) throw this.rules.missing(String(id))
    return found
  }

  delete(id: unknown): void {
    if (!this.drop(String(id))) throw this.rules.missing(String(id))
  }
}
