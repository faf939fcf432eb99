/* What fakes of those that keep data in the form of master files have alike. */

const ENDS_IN_NAME = new Set(['CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV'])

/** The data with the name at its end made absolute: one without the final dot is below the zone (RFC 1035 section 5.1). */
export const inZone = (type: string, rdata: string, zone: string): string =>
  ENDS_IN_NAME.has(type) && !rdata.endsWith('.') ? `${rdata}.${zone}.` : rdata
