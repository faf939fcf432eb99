import { setTimeout as sleep } from 'node:timers/promises'
import { FUDGE, type Tsig } from '../../../dns/wire/tsig.ts'
import { RCODE } from '../../../dns/wire/message.ts'
import type { DnsContext, Signer } from './context.ts'
import { answerOf, claimMessage, storeAnswer } from './queries.ts'

/** How long a signature is valid: its time may be FUDGE ahead of the server's. */
const KEPT_SECONDS = 2 * FUDGE + 60

/** How long the answer to the first of two equal messages is waited for. */
const MAX_WAIT_MS = 20_000
const POLL_MS = 250

/**
 * Does the work of a signed message once, on any number of instances, and returns its RCODE. A repeat gets the same answer
 * and changes nothing: a client whose answer was lost sends the same message again, and so could somebody who recorded it.
 * SERVFAIL if the outcome isn't known, as after the death of an instance.
 */
export async function once(
  { db, log }: DnsContext,
  { keyId }: Signer,
  { mac: given }: Tsig,
  work: () => Promise<number>,
): Promise<number> {
  const mac = Buffer.from(given)
  const claim = await claimMessage(db, { keyId, mac, seconds: KEPT_SECONDS })
  if (claim.isNew) {
    const rcode = await work()
    // Without it, repeats get SERVFAIL.
    await storeAnswer(db, { keyId, mac, rcode }).catch((error: unknown) =>
      log.warn({ err: error }, 'answer of a DNS update not stored'),
    )
    return rcode
  }
  const deadline = Date.now() + MAX_WAIT_MS
  let { rcode } = claim
  while (rcode === null && Date.now() < deadline) {
    await sleep(POLL_MS)
    rcode = await answerOf(db, { keyId, mac })
  }
  return rcode ?? RCODE.SERVFAIL
}
