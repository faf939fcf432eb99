import type { LookupAddress } from 'node:dns'
import { lookup as lookupAddress } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { OutboundError } from './http-exchange.ts'

/** All addresses of a name. */
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
      // One private address among public ones is how a rebinding attack begins: no picking.
      if (!addresses.every(({ address }) => isAllowed(address))) callback(refused, [])
      else if (options.all === true || first === undefined) callback(null, addresses)
      else callback(null, first.address, first.family)
    }
    resolve(host).then(answer, (error: Error) => callback(error, []))
  }
}

// The address behind a name is left out: it would show the internal DNS to every user.
export const blocked = (peer: string) =>
  new OutboundError(
    'blocked',
    `${peer} is not a public address; to allow it, the operator lists it in OUTBOUND_ALLOW`,
    false,
  )
