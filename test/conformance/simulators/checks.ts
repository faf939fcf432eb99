import { randomBytes } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { readType, typeOf } from '../../../dns/types/index.ts'

const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/

/** Lower-case labels, of which the first may be `*`. */
export const isLabels = (name: unknown): name is string => typeof name === 'string' && LABELS.test(name)

/** A name without the final dot, in any case. */
export const isTarget = (name: string | undefined): boolean => isLabels(name?.toLowerCase())

export const isZoneName = (name: unknown): name is string =>
  typeof name === 'string' && /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name)

export const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

export const isPort = (value: unknown): value is number => isInteger(value, 0, 65_535)

export const MAX_TTL = 2 ** 31 - 1

/** Whether the type is ours and its data, in presentation format, are valid. */
export const isData = (type: string, rdata: string): boolean => {
  const known = readType(type)
  return known !== null && typeOf(known).read(rdata) !== null
}

/** Whether the content is an address of the type; true for the other types. */
export const isAddress = (type: string, content: string): boolean =>
  type === 'A' ? isIPv4(content) : type === 'AAAA' ? isIPv6(content) : true

/** A random key of so many bytes. */
export const hexKey = (bytes: number): string => randomBytes(bytes).toString('hex')
export const textKey = (bytes: number): string => randomBytes(bytes).toString('base64url')
