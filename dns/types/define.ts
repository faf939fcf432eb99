import type { DnsCode } from '../text/codes.ts'
import { WireError, WireReader, WireWriter } from '../wire/wire.ts'
import { typeCode } from '../wire/type-codes.ts'
import type { DataValue, RecordData } from './values.ts'
import type { FieldInfo, RecordTypeDefinition, TypeWarning } from './definition.ts'
import { readGeneric } from './words.ts'
import { priorityOf } from './numbers.ts'
import { accepted, type ValueCheck, type ValueError } from './values.ts'
import { Missing, Unreadable, Words } from './words.ts'

/**
 * One field of a record's data in all its forms. All readers throw Unreadable, whose message continues after
 * the title.
 */
export interface Field<T extends DataValue> {
  readonly info: Omit<FieldInfo, 'name'>
  /** Consumes its words of presentation data, as in servers and canonical values. */
  read(words: Words): T
  /** The same for user input, to be passed to `accept`; by default the value read. */
  take?(words: Words): unknown
  /** Validates a user's value. */
  accept(given: unknown): T
  /** The text in the canonical value. */
  show(value: T): string
  /** The text in presentation data; by default that of `show`. */
  write?(value: T): string
  toWire(value: T, out: WireWriter): void
  /** Can also throw WireError. */
  fromWire(input: WireReader): T
}

type Fields = Record<string, Field<DataValue>>
type DataOf<F extends Fields> = { [K in keyof F]: F[K] extends Field<infer T> ? T : never }

/** An invalid combination of fields; the message is a sentence. */
interface Fault<Name> {
  field: Name
  code: DnsCode
  message: string
}

/** The fault if the condition holds, in a list. */
export const faultIf = <const Name extends string>(
  condition: boolean,
  field: Name,
  code: DnsCode,
  message: string,
): Fault<Name>[] => (condition ? [{ field, code, message }] : [])

interface Definition<F extends Fields> extends Pick<RecordTypeDefinition, 'type' | 'title' | 'help' | 'rfc'> {
  fields: F
  place?: RecordTypeDefinition['place']
  readOnly?: boolean
  /** Rules beyond those of single fields, for new values from users. */
  judge?(data: DataOf<F>): Fault<keyof F & string>[]
  /** Values that are allowed but probably unintended, or no longer safe. */
  warn?(data: DataOf<F>): TypeWarning[]
  /** Replaces reading the fields, for types with other ways to write a value. */
  check?: RecordTypeDefinition['check']
  checkData?: RecordTypeDefinition['checkData']
  /** For data whose order on the wire differs from the text. */
  wire?: {
    write(data: DataOf<F>, out: WireWriter): void
    read(input: WireReader): DataOf<F>
  }
}

// More than any data of 65,535 octets needs.
const MAX_TYPED = 300_000

/** A record type whose data is its fields in order, separated by white space. */
export function defineType<F extends Fields>(definition: Definition<F>): RecordTypeDefinition {
  return new FieldedType(definition)
}

class FieldedType<F extends Fields> implements RecordTypeDefinition {
  readonly type: string
  readonly code: number | null
  readonly title: string
  readonly help: string
  readonly rfc: string
  readonly fields: readonly FieldInfo[]
  readonly example: string
  readonly isUnknown = false
  readonly place: RecordTypeDefinition['place']
  readonly readOnly: boolean
  readonly #fields: [string, Field<DataValue>][]
  readonly #judge: (data: RecordData) => Fault<string>[]
  readonly #warn: (data: RecordData) => TypeWarning[]
  readonly #wire: Wire
  readonly #check: RecordTypeDefinition['check']
  readonly #checkData: RecordTypeDefinition['checkData'] | undefined

  constructor(definition: Definition<F>) {
    const { type, title, help, rfc, fields, place = 'any', readOnly = false } = definition
    this.type = type
    this.code = typeCode(type)
    this.title = title
    this.help = help
    this.rfc = rfc
    this.place = place
    this.readOnly = readOnly
    this.fields = Object.entries(fields).map(([name, { info }]) => ({ name, ...info }))
    this.#fields = Object.entries(fields)
    this.#judge = (data) => definition.judge?.(data as DataOf<F>) ?? []
    this.#warn = (data) => definition.warn?.(data as DataOf<F>) ?? []
    this.#wire = (definition.wire as Wire | undefined) ?? wireOf(this.#fields)
    this.#checkData = definition.checkData
    this.#check = definition.check ?? ((value) => this.#checkFields(value))
    this.example = this.#show(Object.fromEntries(this.fields.map(({ name, example }) => [name, example])))
  }

  check(value: string, priority: number | null): ValueCheck {
    if (value.length > MAX_TYPED) return this.#misformed()
    return this.#check(value, priority)
  }

  #checkFields(value: string): ValueCheck {
    try {
      const generic = readGeneric(value)
      const words = Words.of(generic === null ? value : (this.fromWire(generic) ?? ''))
      const taken = this.#fields.map(([, field]) =>
        field.take ? field.take(words) : attempt(() => field.read(words)),
      )
      if (!words.isEmpty || taken.some((one) => one instanceof Missing)) return this.#misformed()
      return this.#accept(taken, 'value')
    } catch (error) {
      if (error instanceof Unreadable) return this.#misformed()
      throw error
    }
  }

  checkData(data: RecordData): ValueCheck {
    return (
      this.#checkData?.(data) ??
      this.#accept(
        this.#fields.map(([name]) => data[name]),
        'data',
      )
    )
  }

  #accept(given: unknown[], said: 'value' | 'data'): ValueCheck {
    const errors: ValueError[] = []
    const data: Record<string, DataValue> = {}
    for (const [at, [name, field]] of this.#fields.entries()) {
      const one = attempt(() => {
        if (given[at] instanceof Unreadable) throw given[at]
        return field.accept(given[at])
      })
      if (one instanceof Unreadable) errors.push(this.#error(said, name, one.message))
      else data[name] = one
    }
    if (errors.length === 0) {
      for (const { field, code, message } of this.#judge(data)) {
        errors.push({ path: said === 'value' ? 'value' : `data/${field}`, code, message })
      }
    }
    if (errors.length > 0) return { ok: false, errors }
    const canonical = this.#show(data)
    return accepted(canonical, priorityOf(this.type, canonical))
  }

  #error(said: 'value' | 'data', name: string, reason: string): ValueError {
    const code = this.#code(name)
    const { title, minimum, maximum, example } = this.fields.find((field) => field.name === name) as FieldInfo
    const range = minimum === undefined || maximum === undefined ? {} : { minimum, maximum }
    const params = { recordType: this.type, field: name, example, ...range }
    if (said === 'data') return { path: `data/${name}`, code, message: reason, params }
    return { path: 'value', code, message: `${title} of ${this.type} ${reason}`, params }
  }

  #misformed(): ValueCheck {
    const form = this.#fields.map(([name]) => `<${name}>`).join(' ')
    const message = `${this.type} must be "${form}", for example ${quoteExample(this.example)}`
    const params = { recordType: this.type, form, example: this.example }
    return { ok: false, errors: [{ path: 'value', code: this.#code('form'), message, params }] }
  }

  /** Each type has one code for its form, and one for each field. */
  #code(part: string): DnsCode {
    return `${this.type.toLowerCase()}_${snake(part)}` as DnsCode
  }

  toData(canonical: string): RecordData {
    const words = Words.of(canonical)
    return Object.fromEntries(this.#fields.map(([name, field]) => [name, field.read(words)]))
  }

  warnings(canonical: string): TypeWarning[] {
    return this.#warn(this.toData(canonical))
  }

  read(rdata: string): string | null {
    try {
      const generic = readGeneric(rdata)
      if (generic !== null) return this.fromWire(generic)
      const words = Words.of(rdata)
      const data = Object.fromEntries(this.#fields.map(([name, field]) => [name, field.read(words)]))
      return words.isEmpty ? this.#show(data) : null
    } catch (error) {
      if (error instanceof Unreadable) return null
      throw error
    }
  }

  write(canonical: string): string {
    const data = this.toData(canonical)
    return this.#join((name, field) => {
      const value = data[name] as DataValue
      return field.write?.(value) ?? field.show(value)
    })
  }

  toWire(canonical: string): Buffer {
    const out = new WireWriter()
    this.#wire.write(this.toData(canonical), out)
    return out.finish()
  }

  fromWire(message: Uint8Array, start = 0, end = message.length): string | null {
    try {
      const input = new WireReader(message, start, end)
      const data = this.#wire.read(input)
      return input.left === 0 ? this.#show(data) : null
    } catch (error) {
      if (error instanceof WireError || error instanceof Unreadable) return null
      throw error
    }
  }

  #show(data: RecordData): string {
    return this.#join((name, field) => field.show(data[name] as DataValue))
  }

  #join(text: (name: string, field: Field<DataValue>) => string): string {
    return this.#fields
      .map(([name, field]) => text(name, field))
      .filter((part) => part !== '')
      .join(' ')
  }
}

interface Wire {
  write(data: RecordData, out: WireWriter): void
  read(input: WireReader): RecordData
}

/** One field after the other. */
const wireOf = (fields: [string, Field<DataValue>][]): Wire => ({
  write(data, out) {
    for (const [name, field] of fields) field.toWire(data[name] as DataValue, out)
  },
  read: (input) => Object.fromEntries(fields.map(([name, field]) => [name, field.fromWire(input)])),
})

/** Returns the result, or the Unreadable that `read` throws. */
function attempt<T>(read: () => T): T | Unreadable {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unreadable) return error
    throw error
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const quoteExample = (example: string): string => (example.includes('"') ? `'${example}'` : `"${example}"`)
