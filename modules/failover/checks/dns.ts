import { typeOf } from '../../../dns/types/index.ts'
import { RCODE } from '../../../dns/wire/message.ts'
import type { StoredProbe } from '../../../db/tables/index.ts'
import type { Dns } from '../../../plugins/outbound/dns/index.ts'
import { OutboundError } from '../../../plugins/outbound/http-exchange.ts'
import { failed, passed, type CheckResult } from './result.ts'

/** Asks the name server at the target, an address, and looks for records of the type in its answer. */
export async function checkDns(
  dns: Dns,
  { port, query, queryType, contains, timeoutSeconds }: Extract<StoredProbe, { kind: 'dns' }>,
  target: string,
  signal: AbortSignal,
): Promise<CheckResult> {
  const time = AbortSignal.timeout(timeoutSeconds * 1000)
  const peer = `${target}:${port}`
  const answer = await dns
    .query({ address: target, port }, { name: query, type: queryType }, AbortSignal.any([signal, time]))
    .catch((error: unknown) => {
      if (!time.aborted || signal.aborted) throw error
      throw new OutboundError('timeout', `${peer} did not answer within ${timeoutSeconds} s`, true, error)
    })
  if (answer.rcode !== RCODE.NOERROR) return failed('rcode', `${peer} answered with the code ${answer.rcode}`)
  const type = typeOf(queryType)
  const values = answer.answers
    .filter((record) => record.type === type.code)
    .map(({ data }) => type.fromWire(data))
  if (values.length === 0) return failed('answer', `${peer} answered without ${queryType} records`)
  if (contains !== null && !values.includes(contains))
    return failed('answer', `${peer} answered without ${contains}`)
  return passed()
}
