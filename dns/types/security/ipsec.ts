import {
  ipv4Bytes,
  ipv6Bytes,
  ipv6OfBytes,
  readIpv4,
  readIpv6,
  withoutDots,
} from '../../addresses/addresses.ts'
import { readName, writeName } from '../../wire/wire-name.ts'
import type { WireWriter } from '../../wire/wire.ts'
import { defineType, faultIf, type Field } from '../define.ts'
import { base64 } from '../fields/binary.ts'
import { uint8 } from '../fields/numbers.ts'
import { Unreadable } from '../words.ts'

/** What the gateway is, by its type (RFC 4025 section 2.3). */
const [NONE, IPV4, IPV6, NAME] = [0, 1, 2, 3]

const REASON = 'must be ".", an IPv4 or IPv6 address, or a full name'

function readGateway(given: unknown): string {
  const text = typeof given === 'string' ? given.trim() : ''
  const gateway = readIpv4(text) ?? readIpv6(text) ?? readName(text)
  if (gateway === null) throw new Unreadable(REASON)
  return gateway
}

const isFor: Record<number, (gateway: string) => boolean> = {
  [NONE]: (gateway) => gateway === '.',
  [IPV4]: (gateway) => readIpv4(gateway) !== null,
  [IPV6]: (gateway) => readIpv6(gateway) !== null,
  [NAME]: (gateway) => gateway !== '.' && readIpv4(gateway) === null && readIpv6(gateway) === null,
}

/** Its form on the wire depends on its type, so that `wire` of the type writes and reads it. */
const gateway: Field<string> = {
  info: {
    kind: 'text',
    title: 'Gateway',
    help: 'An address, a full name, or "." for none',
    example: '192.0.2.38',
  },
  read: (words) => readGateway(words.next().raw),
  take: (words) => words.next().raw,
  accept: readGateway,
  show: (value) => value,
  write(value) {
    if (readIpv4(value) !== null) return value
    return readIpv6(value) === null ? writeName(value) : withoutDots(value)
  },
  toWire: writeGateway,
  fromWire: (input) => input.name(),
}

function writeGateway(value: string, out: WireWriter): void {
  if (readIpv4(value) !== null) out.bytes(ipv4Bytes(value))
  else if (readIpv6(value) !== null) out.bytes(ipv6Bytes(value))
  else if (value !== '.') out.name(value)
}

const publicKey = base64({ title: 'Public key', help: 'Base64', example: 'AQNRU3mG7TVTO2BkR47usntb' })

const numbers = {
  precedence: uint8({ title: 'Precedence', help: 'The lowest is tried first', example: 10 }),
  gatewayType: uint8({
    title: 'Gateway type',
    choices: [
      { value: NONE, title: 'None' },
      { value: IPV4, title: 'IPv4 address' },
      { value: IPV6, title: 'IPv6 address' },
      { value: NAME, title: 'Name' },
    ],
    example: IPV4,
  }),
  algorithm: uint8({
    title: 'Algorithm',
    choices: [
      { value: 1, title: 'DSA' },
      { value: 2, title: 'RSA' },
      { value: 3, title: 'ECDSA (RFC 8005)' },
      { value: 4, title: 'EdDSA (RFC 9373)' },
    ],
    example: 2,
  }),
}

export const IPSECKEY = defineType({
  type: 'IPSECKEY',
  title: 'IPsec key',
  help: 'A key with which this host, or its gateway, protects packets.',
  rfc: 'RFC 4025',
  fields: { ...numbers, gateway, publicKey },
  judge: ({ gatewayType, gateway: value }) =>
    faultIf(
      isFor[gatewayType]?.(value) !== true,
      'gateway',
      'gateway_differs',
      'The gateway must be "." with gateway type 0, an IPv4 address with 1, an IPv6 address with 2, and a name with 3',
    ),
  wire: {
    write(data, out) {
      numbers.precedence.toWire(data.precedence, out)
      numbers.gatewayType.toWire(data.gatewayType, out)
      numbers.algorithm.toWire(data.algorithm, out)
      writeGateway(data.gateway, out)
      publicKey.toWire(data.publicKey, out)
    },
    read(input) {
      const [precedence, gatewayType, algorithm] = [input.number(1), input.number(1), input.number(1)]
      const value =
        gatewayType === NONE
          ? '.'
          : gatewayType === IPV4
            ? input.bytes(4).join('.')
            : gatewayType === IPV6
              ? ipv6OfBytes(input.bytes(16))
              : gatewayType === NAME
                ? input.name()
                : null
      if (value === null) throw new Unreadable(REASON)
      return { precedence, gatewayType, algorithm, gateway: value, publicKey: publicKey.fromWire(input) }
    },
  },
})
