import { RCODE } from '../../../../dns/wire/message.ts'
import { TsigError, type TsigFault } from '../../../../dns/wire/tsig.ts'
import { WireError } from '../../../../dns/wire/wire.ts'
import { OutboundError } from '../../../../plugins/outbound/http.ts'
import { ProviderError, type ProviderErrorKind } from '../../contract.ts'

const SAID: Partial<Record<TsigFault, string>> = {
  BADKEY:
    'The server does not know this key, or not for this: check its name, its algorithm and its rights there',
  BADSIG: 'The server refuses the signature: the secret of the key is another one there',
  BADTRUNC: 'The server wants longer signatures than the algorithm of this key makes',
}

const REFUSALS: Record<number, { kind: ProviderErrorKind; message: string }> = {
  [RCODE.FORMERR]: { kind: 'rejected', message: 'The server cannot read what it was sent (FORMERR)' },
  [RCODE.NOTIMP]: { kind: 'rejected', message: 'The server has no updates (NOTIMP)' },
  [RCODE.REFUSED]: { kind: 'forbidden', message: 'The server does not allow this key to do this (REFUSED)' },
  [RCODE.NOTAUTH]: { kind: 'not_found', message: 'The server does not have this zone (NOTAUTH)' },
  [RCODE.NOTZONE]: { kind: 'rejected', message: 'The server finds a name that is not in the zone (NOTZONE)' },
}

const SERVFAIL = 'The server fails (SERVFAIL): its log says why'

/** The server answers with this code, which is none of success. A server that fails may have done it. */
export function refusal(rcode: number, isWrite: boolean): ProviderError {
  const known = REFUSALS[rcode]
  if (known !== undefined) return new ProviderError(known.kind, known.message)
  const message = rcode === RCODE.SERVFAIL ? SERVFAIL : `The server answers with error ${rcode}`
  return new ProviderError('unavailable', message, { outcome: isWrite ? 'unknown' : 'not_applied' })
}

export const malformed = (isWrite = false, cause?: unknown) =>
  new ProviderError('unavailable', 'The server answered something that is not DNS, or not what was asked', {
    outcome: isWrite ? 'unknown' : 'not_applied',
    cause,
  })

/** What reading, believing or reaching the server threw, as a ProviderError; whatever else it is, itself. */
export function toProviderError(error: unknown, isWrite: boolean): unknown {
  if (error instanceof WireError) return malformed(isWrite, error)
  if (error instanceof TsigError) return fromTsig(error, isWrite)
  if (error instanceof OutboundError) return fromOutbound(error, isWrite)
  return error
}

function fromTsig(error: TsigError, isWrite: boolean): ProviderError {
  const { fault, said, peerTime } = error
  // Who does not believe us did nothing.
  const outcome = isWrite && !said ? 'unknown' : 'not_applied'
  const options = { outcome, cause: error } as const
  if (fault === 'BADTIME') return new ProviderError('auth', clocksDiffer(peerTime), options)
  const reason = said ? SAID[fault] : undefined
  if (reason !== undefined) return new ProviderError('auth', reason, options)
  return new ProviderError(
    'unavailable',
    `The answer is not signed as it must be, so it is not believed (${fault})`,
    options,
  )
}

function clocksDiffer(peerTime: number | null): string {
  const difference = peerTime === null ? null : Math.abs(Math.round(Date.now() / 1000) - peerTime)
  const amount = difference === null ? 'too much' : `by ${difference} seconds`
  return `The clocks of the server and of this service differ ${amount}, so that signatures do not hold`
}

function fromOutbound(error: OutboundError, isWrite: boolean): ProviderError {
  const outcome = isWrite && error.sent ? 'unknown' : 'not_applied'
  const options = { outcome, cause: error } as const
  if (error.kind === 'timeout' || error.kind === 'aborted')
    return new ProviderError('timeout', 'The server did not answer in time', options)
  if (error.kind === 'too_large')
    return new ProviderError('too_large', 'The server answered more than can be taken', options)
  return new ProviderError('unavailable', `The server cannot be reached: ${error.message}`, options)
}
