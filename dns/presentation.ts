import type { RecordType } from '../schemas/record-type.ts'
import { readA } from './values/a.ts'
import { readAaaa, writeAaaa } from './values/aaaa.ts'
import { readCaa } from './values/caa.ts'
import { readMx, writeMx } from './values/mx.ts'
import { readSrv, writeSrv } from './values/srv.ts'
import { readTxt, writeTxt } from './values/txt.ts'
import { readName, writeName } from './wire-name.ts'

interface Format {
  read: (rdata: string) => string | null
  write: (canonical: string) => string
}

const same = (value: string): string => value
const target: Format = { read: (rdata) => readName(rdata.trim()), write: writeName }

const FORMATS: Record<RecordType, Format> = {
  A: { read: readA, write: same },
  AAAA: { read: readAaaa, write: writeAaaa },
  CNAME: target,
  NS: target,
  MX: { read: readMx, write: writeMx },
  TXT: { read: readTxt, write: writeTxt },
  SRV: { read: readSrv, write: writeSrv },
  CAA: { read: readCaa, write: same },
}

/** Master-file data (RFC 1035 section 5.1) of a canonical value: pure ASCII in one line, names absolute. */
export const toPresentation = (type: RecordType, canonical: string): string => FORMATS[type].write(canonical)

/**
 * The canonical form of what a provider holds, in master-file syntax; names without final dot are taken
 * as absolute. Also for what is valid DNS but refused to users (an unknown CAA tag, an SRV to port 0, a
 * long or empty TXT), so that it is compared stably and nothing is lost. Null when it can't be parsed.
 * For every canonical value v, `fromPresentation(type, toPresentation(type, v)) === v`.
 */
export const fromPresentation = (type: RecordType, rdata: string): string | null => FORMATS[type].read(rdata)

/** The priority of a canonical value, its first number; null for types that have none. */
export const priorityOf = (type: RecordType, canonical: string): number | null =>
  type === 'MX' || type === 'SRV' ? Number.parseInt(canonical, 10) : null
