import { isIPv4 } from 'node:net'
import { shown } from '../messages.ts'
import { accepted, refused, type ValueCheck } from './result.ts'

/**
 * An IPv4 address of four decimal numbers. Short and octal-looking forms (`127.1`, `010.0.0.1`) are
 * refused, as programs disagree on what they mean.
 */
export function checkA(value: string): ValueCheck {
  const address = readA(value)
  if (address !== null) return accepted(address)
  const form = 'four numbers 0-255 without leading zeros, for example "192.0.2.1"'
  return refused('ipv4_address', `${shown(value)} is not an IPv4 address: ${form}`)
}

/** The address of a provider's A record, or null. */
export function readA(rdata: string): string | null {
  const text = rdata.trim()
  return isIPv4(text) ? text : null
}
