import type { LookupAddress } from 'node:dns'
import { lookup as lookupAddress } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { OutboundError } from './http-exchange.ts'

/** Returns all addresses of a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>

export const resolveBySystem: Resolve = (host) => lookupAddress(host, { all: true })

/** A look-up for sockets that fails with `refused` unless every address of the name is allowed. */
export function guardedLookup(
  resolve: Resolve,
  isAllowed: (address: string) => boolean,
  refused: OutboundError,
): LookupFunction {
  return (host, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const [first] = addresses
      // A private address among public ones is how a rebinding attack starts, so none is picked.
      if (!addresses.every(({ address }) => isAllowed(address))) callback(refused, [])
      else if (options.all === true || first === undefined) callback(null, addresses)
      else callback(null, first.address, first.family)
    }
    resolve(host).then(answer, (error: Error) => callback(error, []))
  }
}

// The resolved address is left out: it would reveal internal DNS to every user.
export const blocked = (peer: string) =>
  new OutboundError(
    'blocked',
    `${peer} is not a public address; to allow it, add it to OUTBOUND_ALLOW`,
    false,
  )
