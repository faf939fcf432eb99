import { RCODE } from '../../../../dns/wire/message.ts'
import { TsigError, type TsigFault } from '../../../../dns/wire/tsig.ts'
import { WireError } from '../../../../dns/wire/wire.ts'
import { OutboundError } from '../../../../plugins/outbound/http.ts'
import { fromOutbound } from '../../client/failures.ts'
import { ProviderError, type ProviderErrorKind } from '../../contract.ts'

const SAID: Partial<Record<TsigFault, string>> = {
  BADKEY:
    'The server does not know this key, or does not allow it here; check its name, algorithm and permissions on the server',
  BADSIG: 'The server refuses the signature: the key has a different secret there',
  BADTRUNC: 'The server requires longer signatures than the algorithm of this key makes',
}

const REFUSALS: Record<number, { kind: ProviderErrorKind; message: string }> = {
  [RCODE.FORMERR]: { kind: 'rejected', message: 'The server could not parse the request (FORMERR)' },
  [RCODE.NOTIMP]: { kind: 'rejected', message: 'The server does not support updates (NOTIMP)' },
  [RCODE.REFUSED]: { kind: 'forbidden', message: 'The server does not allow this key to do this (REFUSED)' },
  [RCODE.NOTAUTH]: { kind: 'not_found', message: 'The server does not have this zone (NOTAUTH)' },
  [RCODE.NOTZONE]: { kind: 'rejected', message: 'The server reports a name outside of the zone (NOTZONE)' },
}

const SERVFAIL = 'The server failed (SERVFAIL); see its log'

/** The error for an unsuccessful response code. A server that fails may still have applied a write. */
export function refusal(rcode: number, isWrite: boolean): ProviderError {
  const known = REFUSALS[rcode]
  if (known !== undefined) return new ProviderError(known.kind, known.message)
  const message = rcode === RCODE.SERVFAIL ? SERVFAIL : `The server answers with error ${rcode}`
  return new ProviderError('unavailable', message, { outcome: isWrite ? 'unknown' : 'not_applied' })
}

export const malformed = (isWrite = false, cause?: unknown) =>
  new ProviderError('unavailable', "The server's answer is not DNS, or does not match the question", {
    outcome: isWrite ? 'unknown' : 'not_applied',
    cause,
  })

/** Maps errors of parsing, verification and connection to a ProviderError; returns others unchanged. */
export function toProviderError(error: unknown, isWrite: boolean): unknown {
  if (error instanceof WireError) return malformed(isWrite, error)
  if (error instanceof TsigError) return fromTsig(error, isWrite)
  if (!(error instanceof OutboundError)) return error
  if (error.kind !== 'too_large') return fromOutbound(error, 'The server', isWrite)
  const outcome = isWrite && error.sent ? 'unknown' : 'not_applied'
  return new ProviderError('too_large', 'The answer of the server exceeds the limit', {
    outcome,
    cause: error,
  })
}

function fromTsig(error: TsigError, isWrite: boolean): ProviderError {
  const { fault, said, peerTime } = error
  // A server that rejects our signature has done nothing.
  const outcome = isWrite && !said ? 'unknown' : 'not_applied'
  const options = { outcome, cause: error } as const
  if (fault === 'BADTIME') return new ProviderError('auth', clocksDiffer(peerTime), options)
  const reason = said ? SAID[fault] : undefined
  if (reason !== undefined) return new ProviderError('auth', reason, options)
  const message = `The signature of the answer is missing or not valid (${fault})`
  return new ProviderError('unavailable', message, options)
}

function clocksDiffer(peerTime: number | null): string {
  const difference = peerTime === null ? null : Math.abs(Math.round(Date.now() / 1000) - peerTime)
  const amount = difference === null ? 'too much' : `by ${difference} seconds`
  return `The clocks of the server and of this service differ ${amount}, so signatures are not valid`
}
