import { splitTokens } from '../text/strings.ts'
import { readNumber } from '../types/numbers.ts'
import { readName, writeName } from '../wire/wire-name.ts'
import { WireError, WireReader, WireWriter } from '../wire/wire.ts'

/** The data of a SOA (RFC 1035 section 3.3.13): names canonical, times in seconds. */
export interface SoaData {
  primary: string
  /** The responsible person's mailbox as a name: see mailbox.ts. */
  mailbox: string
  serial: number
  refresh: number
  retry: number
  expire: number
  /** How long resolvers cache negative answers (RFC 2308 section 4). */
  minimum: number
}

const MAX = 2 ** 32 - 1

/** Parses a provider's master-file data; null if it can't be read. */
export function readSoa(rdata: string): SoaData | null {
  const [primaryText = '', mailboxText = '', ...rest] = (splitTokens(rdata) ?? []).map(({ raw }) => raw)
  const [primary, mailbox] = [readName(primaryText), readName(mailboxText)]
  const numbers = rest.map((text) => readNumber(text, MAX))
  if (primary === null || mailbox === null || numbers.length !== 5 || numbers.includes(null)) return null
  const [serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0] = numbers as number[]
  return { primary, mailbox, serial, refresh, retry, expire, minimum }
}

/** Master-file data. */
export const writeSoa = ({ primary, mailbox, serial, refresh, retry, expire, minimum }: SoaData): string =>
  [writeName(primary), writeName(mailbox), serial, refresh, retry, expire, minimum].join(' ')

/** The SOA data in a message, without compression; null if it can't be read. */
export function readWireSoa(data: Uint8Array): SoaData | null {
  const input = new WireReader(data)
  try {
    const [primary, mailbox] = [input.name(), input.name()]
    const [serial, refresh, retry] = [input.number(4), input.number(4), input.number(4)]
    return { primary, mailbox, serial, refresh, retry, expire: input.number(4), minimum: input.number(4) }
  } catch (error) {
    if (error instanceof WireError) return null
    throw error
  }
}

/** The same data, to be sent. */
export const writeWireSoa = ({
  primary,
  mailbox,
  serial,
  refresh,
  retry,
  expire,
  minimum,
}: SoaData): Buffer =>
  [serial, refresh, retry, expire, minimum]
    .reduce((out, number) => out.number(number, 4), new WireWriter().name(primary).name(mailbox))
    .finish()
