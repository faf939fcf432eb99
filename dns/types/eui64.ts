import { defineType } from './define.ts'
import { hardwareAddress, warnOfPublic } from './fields/hardware-address.ts'

export const EUI64 = defineType({
  type: 'EUI64',
  title: '64-bit hardware address',
  help: 'Address of a network interface; not for the public DNS (RFC 7043, section 8).',
  rfc: 'RFC 7043 section 4',
  fields: { address: hardwareAddress(8, '00-00-5e-ef-10-00-00-2a') },
  warn: warnOfPublic,
})
