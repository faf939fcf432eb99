import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Installation } from '../../installation.ts'
import type { Secrets } from '../secrets.ts'
import { findToken } from './queries.ts'
import { lacksFactor } from './second-factor.ts'
import type { TokenOwner } from './token-grant.ts'

const PREFIX = 'zkp_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 256 bits. */
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6

/** Characters shown in lists, to tell tokens apart. */
export const SHOWN_PREFIX_LENGTH = PREFIX.length + 6

/** Its last characters, with which its owner recognizes it. */
export const suffixOf = (token: string): string => token.slice(-SUFFIX_LENGTH)
const SUFFIX_LENGTH = 4

export const isPersonalToken = (token: string): boolean => token.startsWith(PREFIX)

export function newPersonalToken(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return PREFIX + secret + checksum(secret)
}

/**
 * Returns the token that replaces this one: always the same, so that a lost answer can be repeated, and
 * computable only here.
 */
export function successorOf(secrets: Secrets, token: string): string {
  const bytes = Buffer.from(secrets.derive('personal token', token), 'base64url')
  const secret = base62(BigInt(`0x${bytes.toString('hex')}`), SECRET_LENGTH)
  return PREFIX + secret + checksum(secret)
}

/**
 * Returns whether the token is well-formed, so that scanners can check it and typing errors cost no look-up.
 */
export function isWellFormed(token: string): boolean {
  const secret = token.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH)
  return secret.length === SECRET_LENGTH && token === PREFIX + secret + checksum(secret)
}

const checksum = (secret: string): string => base62(BigInt(crc32(secret)), CHECKSUM_LENGTH)

function base62(number: bigint, length: number): string {
  const base = BigInt(ALPHABET.length)
  let rest = number
  let text = ''
  for (let i = 0; i < length; i++) {
    text = ALPHABET[Number(rest % base)] + text
    rest /= base
  }
  return text
}

/** Returns the owner of a valid token, if the user exists and is enabled. */
export async function findTokenOwner(
  db: Executor,
  secrets: Secrets,
  { requireSecondFactor, maxTokenDays }: Installation,
  token: string,
): Promise<TokenOwner | null> {
  if (!isWellFormed(token)) return null
  const row = await findToken(db, secrets.digest(token), maxTokenDays)
  if (!row) return null
  return {
    id: row.id,
    name: row.name,
    suffix: suffixOf(token),
    userId: row.user_id,
    username: row.username,
    role: row.role,
    permissions: row.permissions,
    restrictions: row.restrictions ?? {},
    expiresAt: row.ends_at?.getTime() ?? null,
    lacksFactor: lacksFactor(requireSecondFactor, row),
    lastUsedAt: row.last_used_at?.getTime() ?? 0,
  }
}
