import type { Counter } from 'prom-client'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { RecordContext } from '../../records/service.ts'
import type { Bounds } from './bounds.ts'

/** How a message reached the service. */
export interface Via {
  transport: 'udp' | 'tcp'
  /** The client's address. */
  ip: string
}

/** What answering messages needs of the app. */
export interface DnsContext extends RecordContext {
  bounds: Bounds
  /** Messages by what they asked for and the RCODE or fault of the answer. */
  answered: Counter<'kind' | 'result'>
  /** Also answers unsigned SOA queries. */
  isSoaOpen: boolean
}

/** The caller behind a signed message. */
export interface Signer extends Caller {
  keyId: string
  keyName: string
}
