import { readQuoted, textOfBytes } from '../../../dns/text.ts'
import { typeOf } from '../../../dns/types/index.ts'

/* What fakes of those that keep data in the form of master files have alike. */

const ENDS_IN_NAME = new Set(['CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV'])

/** The data with the name at its end made absolute: one without the final dot is below the zone (RFC 1035 section 5.1). */
export const inZone = (type: string, rdata: string, zone: string): string =>
  ENDS_IN_NAME.has(type) && !rdata.endsWith('.') ? `${rdata}.${zone}.` : rdata

/** The data of a TXT record of which the text is held as it is, without quotes and escapes. */
export const rdataOfText = (text: string): string => typeOf('TXT').write(textOfBytes(Buffer.from(text)))

/** The same, where a text may also be held as a master file has it: all in quotes. */
export const rdataOfEither = (text: string): string =>
  text !== '' && readQuoted(text) !== null ? text : rdataOfText(text)
