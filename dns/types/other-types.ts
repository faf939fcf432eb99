/** Record types of the IANA registry that occur in zone files and are not managed here. */
const OTHER_TYPES = new Set(
  (
    'SOA MINFO WKS AFSDB X25 ISDN RT NSAP SIG KEY PX GPOS NXT KX A6 SINK IPSECKEY RRSIG NSEC NSEC3 ' +
    'NSEC3PARAM HIP NINFO RKEY TALINK DSYNC SPF NID L32 L64 LP AVC DOA AMTRELAY RESINFO WALLET CLA IPN TA ' +
    'DLV LUA'
  ).split(' '),
)

/** Tells an unmanaged type from a typo; `type` is in upper case. */
export const isOtherType = (type: string): boolean => OTHER_TYPES.has(type) || /^TYPE[0-9]{1,5}$/.test(type)
