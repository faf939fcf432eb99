import { TYPE, type Message, type ResourceRecord } from './message.ts'

/** Octets a UDP answer may have without being fragmented on its way (RFC 9715 section 3). */
const UDP_SIZE = 1232
const DNSSEC_OK = 0x8000

/** The OPT record of a query (RFC 6891 section 6.1.2). `dnssecOk`: the answer should have its signatures. */
export const optRecord = (dnssecOk: boolean): ResourceRecord => ({
  name: '.',
  type: TYPE.OPT,
  class: UDP_SIZE,
  ttl: dnssecOk ? DNSSEC_OK : 0,
  data: Buffer.of(),
})

/** The RCODE with the upper eight bits that an OPT record adds (RFC 6891 section 6.1.3). */
export function fullRcode({ rcode, additionals }: Pick<Message, 'rcode' | 'additionals'>): number {
  const opt = additionals.find(({ type }) => type === TYPE.OPT)
  return opt === undefined ? rcode : Math.floor(opt.ttl / 2 ** 24) * 16 + rcode
}
