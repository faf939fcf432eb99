import { relativeName } from '../../../dns/names/names.ts'
import { bytesOfText, readQuoted, textOfBytes } from '../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'

/* How simulators hold the data of records. */

export const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV'])

/** The data with the name at its end made absolute: one without the final dot is below the zone (RFC 1035 section 5.1). */
export const inZone = (type: string, rdata: string, zone: string): string =>
  ENDS_IN_NAME.has(type) && !rdata.endsWith('.') ? `${rdata}.${zone}.` : rdata

/** The data with a final dot after the name at its end, which is an absolute one with or without it. */
export const dotted = (type: string, rdata: string): string =>
  ENDS_IN_NAME.has(type) && !rdata.endsWith('.') ? `${rdata}.` : rdata

/** The data of a TXT record of which the text is held as it is, without quotes and escapes. */
export const rdataOfText = (text: string): string => typeOf('TXT').write(textOfBytes(Buffer.from(text)))

/** The same, where a text may also be held as a master file has it: all in quotes. */
export const rdataOfEither = (text: string): string =>
  text !== '' && readQuoted(text) !== null ? text : rdataOfText(text)

/** Data of which the numbers before a name stand in fields of their own; names are without the final dot. */
export interface SplitData {
  data: string
  priority?: number | null
  weight?: number | null
  port?: number | null
}

const bare = (name: string) => (name === '.' ? name : name.replace(/\.$/, ''))

/** Of the canonical value; text is as it is, without quotes and escapes. */
export function splitData(type: RecordType, value: string): SplitData {
  if (type === 'TXT') return { data: bytesOfText(value).toString() }
  const rdata = typeOf(type).write(value)
  const [first, second, third, last = ''] = rdata.split(' ')
  if (type === 'MX') return { priority: Number(first), data: bare(second ?? '') }
  if (type === 'SRV')
    return { priority: Number(first), weight: Number(second), port: Number(third), data: bare(last) }
  return { data: ENDS_IN_NAME.has(type) ? bare(rdata) : rdata }
}

/** The same as a master file has it. `@` is the zone itself. */
export function joinData(type: string, { data, priority, weight, port }: SplitData, zone: string): string {
  if (type === 'TXT') return rdataOfText(data)
  if (!ENDS_IN_NAME.has(type)) return data
  const name = data === '@' ? `${zone}.` : data === '.' ? data : `${data}.`
  if (type === 'MX') return `${priority} ${name}`
  return type === 'SRV' ? `${priority} ${weight} ${port} ${name}` : name
}

/** The same where the numbers of an SRV but its priority stand before the name. */
export function splitContent(type: RecordType, value: string): { content: string; priority?: number } {
  const { data, priority, weight, port } = splitData(type, value)
  const content = type === 'SRV' ? `${weight} ${port} ${data}` : data
  return { content, ...(typeof priority === 'number' && { priority }) }
}

/** As a master file has it. */
export function joinContent(type: string, content: string, priority: number, zone = ''): string {
  if (type !== 'SRV') return joinData(type, { data: content, priority }, zone)
  const [weight, port, target = ''] = content.split(' ')
  return joinData(type, { data: target, priority, weight: Number(weight), port: Number(port) }, zone)
}

/** Between names relative to a zone, `@` for the apex, and those that providers use. */
export const atAsEmpty = (name: string): string => (name === '@' ? '' : name)
export const emptyAsAt = (name: string): string => (name === '' ? '@' : name)
export const withZone = (name: string, zone: string): string => (name === '@' ? zone : `${name}.${zone}`)
export const withoutZone = (name: string, zone: string): string => relativeName(name, zone) ?? name
