import { defineType } from './define.ts'
import { hardwareAddress, warnOfPublic } from './fields/hardware-address.ts'

export const EUI48 = defineType({
  type: 'EUI48',
  title: '48-bit hardware address',
  help: 'Address of a network interface; not for the public DNS (RFC 7043, section 8).',
  rfc: 'RFC 7043 section 3',
  fields: { address: hardwareAddress(6, '00-00-5e-00-53-2a') },
  warn: warnOfPublic,
})
