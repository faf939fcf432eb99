import type { DnsCode } from '../text/codes.ts'
import type { DataValue, RecordData } from './data.ts'
import type { ValueCheck } from './result.ts'

/** How a field is drawn and what it takes. */
export type FieldKind =
  | 'integer'
  | 'ipv4'
  | 'ipv6'
  | 'name'
  | 'hex'
  | 'base64'
  | 'text'
  | 'types'
  | 'prefixes'
  | 'parameters'
  | 'coordinate'
  | 'decimal'

/** What a client needs to draw a form for a field. */
export interface FieldInfo {
  name: string
  kind: FieldKind
  title: string
  help?: string
  /** Of numbers. */
  minimum?: number
  maximum?: number
  /** What values are usual, with their meaning; others within the range are taken too. */
  choices?: readonly { value: string | number; title: string }[]
  example: DataValue
}

/** A warning, by its code for programs and in words. */
export interface TypeWarning {
  code: DnsCode
  message: string
}

/**
 * A record type: all that the service knows of it. A value has three forms: canonical, as it is stored,
 * compared and shown; presentation, as master files and most providers write it (RFC 1035 section 5.1); wire.
 */
export interface RecordTypeDefinition {
  /** In capitals. */
  readonly type: string
  /** Null for what is a provider's own and never on the wire. */
  readonly code: number | null
  readonly title: string
  readonly help: string
  /** Where it is defined. */
  readonly rfc: string
  readonly fields: readonly FieldInfo[]
  /** A canonical value. */
  readonly example: string
  /** We know its number alone: its data is bytes (RFC 3597). */
  readonly isUnknown: boolean
  /** Where in the zone it belongs: to the apex, or anywhere but there. */
  readonly place: 'any' | 'apex' | 'below'
  /** Made by whoever signs or serves the zone: shown, and not changed here. */
  readonly readOnly: boolean
  /** The canonical form of what a user wants, or why not. `priority`: see `checkValue`. */
  check(value: string, priority: number | null): ValueCheck
  /** The same for the fields one by one; a path is `data/<field>`. */
  checkData(data: RecordData): ValueCheck
  /** What is allowed in a canonical value and most likely not meant, or no longer safe. */
  warnings(canonical: string): TypeWarning[]
  /** The fields of a canonical value. */
  toData(canonical: string): RecordData
  /** The canonical form of presentation data, as a provider holds it; null when it can't be read. */
  read(rdata: string): string | null
  /** Presentation data of a canonical value: ASCII in one line, names absolute. */
  write(canonical: string): string
  toWire(canonical: string): Buffer
  /** The canonical form of wire data. `message`: where compressed names point into. Null when it can't be read. */
  fromWire(message: Uint8Array, start?: number, end?: number): string | null
}
