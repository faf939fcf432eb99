import { randomBytes } from 'node:crypto'
import type { Executor } from '../../db/connection/connect.ts'
import { takenUsernames } from '../users/service.ts'
import type { ExternalIdentity } from './identity-providers/contract.ts'

const MAX_LENGTH = 48
const NUMBERED = 9
/** Maximum length taken from the provider; more would not fit anyway. */
const MAX_CLAIM = 500

/** Returns a free user name similar to the one at the provider. */
export async function proposeUsername(db: Executor, identity: ExternalIdentity): Promise<string> {
  const base = baseOf(identity)
  const numbered = Array.from({ length: NUMBERED - 1 }, (_, i) => `${base}-${i + 2}`)
  const candidates = [base, ...numbered, `${base}-${randomBytes(5).toString('hex')}`]
  const taken = await takenUsernames(db, candidates)
  return candidates.find((name) => !taken.has(name)) ?? `user-${randomBytes(10).toString('hex')}`
}

function baseOf({ username, email, displayName }: ExternalIdentity): string {
  for (const text of [username, email?.split('@', 1)[0], displayName]) {
    const name = toUsername(text ?? '')
    if (name.length >= 2) return name
  }
  return 'user'
}

/** Characters allowed in user names; see schemas/people/user. */
const toUsername = (text: string) =>
  text
    .slice(0, MAX_CLAIM)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/@.*$/, '')
    .replace(/[^a-z0-9._-]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[._-]+|[._-]+$/g, '')
