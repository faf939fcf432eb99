import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { TYPE, type ResourceRecord } from '../../../dns/wire/message.ts'
import { WireReader, WireWriter } from '../../../dns/wire/wire.ts'

/* DNSSEC: DS against DNSKEY, and signatures of one RRset (RFC 4034, RFC 4035 section 5.3). */

export interface Key {
  data: Buffer
  tag: number
  algorithm: number
  /** A zone key that is not revoked (RFC 4034 section 2.1.1, RFC 5011 section 2.1). */
  isUsable: boolean
}

export interface Ds {
  tag: number
  algorithm: number
  digestType: number
  digest: Buffer
}

export interface Signature {
  covers: number
  algorithm: number
  labels: number
  /** Seconds since 1970. */
  expires: number
  begins: number
  tag: number
  signature: Buffer
  /** The data without the signature, which is signed along. */
  head: Buffer
  originalTtl: number
}

export function readKey(data: Uint8Array): Key {
  const bytes = Buffer.from(data)
  const flags = bytes.readUInt16BE(0)
  const isUsable = (flags & 0x0100) !== 0 && (flags & 0x0080) === 0 && bytes[2] === 3
  return { data: bytes, tag: keyTag(bytes), algorithm: bytes[3] ?? 0, isUsable }
}

/** RFC 4034 appendix B. */
function keyTag(data: Buffer): number {
  const sum = data.reduce((total, byte, i) => total + (i % 2 === 0 ? byte * 256 : byte), 0)
  return (sum + ((sum >>> 16) & 0xffff)) & 0xffff
}

export function readDs(data: Uint8Array): Ds {
  const bytes = Buffer.from(data)
  const [algorithm = 0, digestType = 0] = bytes.subarray(2)
  return { tag: bytes.readUInt16BE(0), algorithm, digestType, digest: bytes.subarray(4) }
}

export function readSignature(data: Uint8Array): Signature {
  const bytes = Buffer.from(data)
  const reader = new WireReader(bytes.subarray(18))
  const signer = new WireWriter().name(reader.name()).finish()
  return {
    covers: bytes.readUInt16BE(0),
    algorithm: bytes[2] ?? 0,
    labels: bytes[3] ?? 0,
    originalTtl: bytes.readUInt32BE(4),
    expires: bytes.readUInt32BE(8),
    begins: bytes.readUInt32BE(12),
    tag: bytes.readUInt16BE(16),
    head: Buffer.concat([bytes.subarray(0, 18), signer]),
    signature: bytes.subarray(18 + signer.length),
  }
}

const DIGESTS: Record<number, string> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' }

export const knowsDigest = ({ digestType }: Ds) => DIGESTS[digestType] !== undefined
export const knowsAlgorithm = (algorithm: number) => VERIFIERS[algorithm] !== undefined

/** Whether the DS is of this key (RFC 4034 section 5.1.4). */
export function isOf(ds: Ds, key: Key, zone: string): boolean {
  const hash = DIGESTS[ds.digestType]
  if (hash === undefined || ds.tag !== key.tag || ds.algorithm !== key.algorithm || !key.isUsable)
    return false
  const owner = new WireWriter().name(zone).finish()
  return createHash(hash).update(owner).update(key.data).digest().equals(ds.digest)
}

interface Verifier {
  hash: string | null
  keyOf: (key: Buffer) => KeyObject
}

/** RFC 3110: exponent, then modulus. */
function rsaKey(key: Buffer): KeyObject {
  const long = key[0] === 0
  const length = long ? key.readUInt16BE(1) : (key[0] ?? 0)
  const from = long ? 3 : 1
  const [e, n] = [key.subarray(from, from + length), key.subarray(from + length)]
  const jwk = { kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

/** RFC 6605 section 4: the two coordinates. */
const curveKey = (crv: string) => (key: Buffer) => {
  const [x, y] = [key.subarray(0, key.length / 2), key.subarray(key.length / 2)]
  const jwk = { kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') }
  return createPublicKey({ key: jwk, format: 'jwk' })
}

/** RFC 8080. */
const edwardsKey = (crv: string) => (key: Buffer) =>
  createPublicKey({ key: { kty: 'OKP', crv, x: key.toString('base64url') }, format: 'jwk' })

const VERIFIERS: Record<number, Verifier> = {
  5: { hash: 'sha1', keyOf: rsaKey },
  7: { hash: 'sha1', keyOf: rsaKey },
  8: { hash: 'sha256', keyOf: rsaKey },
  10: { hash: 'sha512', keyOf: rsaKey },
  13: { hash: 'sha256', keyOf: curveKey('P-256') },
  14: { hash: 'sha384', keyOf: curveKey('P-384') },
  15: { hash: null, keyOf: edwardsKey('Ed25519') },
  16: { hash: null, keyOf: edwardsKey('Ed448') },
}

/** Whether the key has made the signature over the RRset of the zone's apex, regardless of the time. */
export function isSignedBy(signature: Signature, key: Key, rrset: readonly ResourceRecord[]): boolean {
  const verifier = VERIFIERS[key.algorithm]
  if (!verifier || key.tag !== signature.tag || key.algorithm !== signature.algorithm || !key.isUsable)
    return false
  const signed = Buffer.concat([signature.head, ...canonical(rrset, signature.originalTtl)])
  try {
    const publicKey = verifier.keyOf(key.data.subarray(4))
    return verify(verifier.hash, signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature.signature)
  } catch {
    // The key has a form that does not exist, so it has signed nothing.
    return false
  }
}

/** The records in canonical form and order (RFC 4034 section 6). */
function canonical(rrset: readonly ResourceRecord[], ttl: number): Buffer[] {
  const all = rrset.map((record) => ({
    ...record,
    data: record.type === TYPE.SOA ? soaData(record.data) : record.data,
  }))
  return all
    .toSorted((one, other) => Buffer.compare(one.data, other.data))
    .map(({ name, type, class: klass, data }) =>
      new WireWriter()
        .name(name)
        .number(type, 2)
        .number(klass, 2)
        .number(ttl, 4)
        .number(data.length, 2)
        .bytes(data)
        .finish(),
    )
}

/** With its two names in lower case. */
function soaData(data: Uint8Array): Uint8Array {
  const reader = new WireReader(data)
  const writer = new WireWriter().name(reader.name()).name(reader.name())
  return writer.bytes(data.subarray(data.length - 20)).finish()
}
