import { randomInt } from 'node:crypto'
import type { Secrets } from '../../../plugins/security/secrets.ts'

const RECOVERY_CODES = 10

/** Without characters that are easily confused: 0/o, 1/l/i. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'
const GROUPS = 4
const GROUP_LENGTH = 4

/** Ten codes of 79 bits each, in groups that are easy to copy. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, group).join('-'))

const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * The stored form of a code, however it is typed. A plain digest: the codes have enough entropy, and it must
 * survive a change of SECRET_KEY.
 */
export const recoveryHash = (secrets: Secrets, userId: string, code: string): Buffer =>
  secrets.digest(`recovery\0${userId}\0${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
