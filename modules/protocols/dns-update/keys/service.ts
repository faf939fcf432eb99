import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../../../db/tables/index.ts'
import { conflict, notFound } from '../../../../plugins/http/errors.ts'
import type { Caller } from '../../../../plugins/security/access/index.ts'
import type { Secrets } from '../../../../plugins/security/secrets.ts'
import { recordAudit } from '../../../audit/service.ts'
import { deleteKey, insertKey, keysOf } from './queries.ts'
import type { KeyAlgorithm } from './schemas.ts'
import { keyContext, newKeyName, newSecret } from './signing-key.ts'

/** So that a key can be replaced without an interruption, and each of several devices can have its own. */
const MAX_KEYS = 20

interface KeyContext {
  db: Kysely<Database>
  secrets: Secrets
}

/** A caller with a personal token. */
export type TokenCaller = Caller & { token: NonNullable<Caller['token']> }

/**
 * Creates a TSIG key of the caller's token and returns its secret once. It does what the token does, from the same
 * addresses, and ends with it. 409 when the token has 20 already.
 */
export async function createKey({ db, secrets }: KeyContext, caller: TokenCaller, algorithm: KeyAlgorithm) {
  const { token } = caller
  const [id, name, secret] = [uuidv7(), newKeyName(token.name), newSecret(algorithm)]
  const sealed = secrets.seal(secret, keyContext(id))
  return db.transaction().execute(async (trx) => {
    const row = await insertKey(
      trx,
      { id, token_id: token.id, name, algorithm, secret: sealed, last_used_at: null },
      MAX_KEYS,
    )
    if (!row) {
      throw conflict(`This token has ${MAX_KEYS} keys, the maximum; delete one first`, {
        reason: 'too_many_keys',
        params: { maximum: MAX_KEYS },
      })
    }
    await recordAudit(trx, caller, {
      action: 'tsig_key.created',
      target: { type: 'tsig_key', id, name },
      after: { algorithm, tokenId: token.id },
    })
    return { id, name, algorithm, secret, createdAt: row.created_at.toISOString() }
  })
}

/** The keys of the caller's token, without their secrets. */
export async function listKeys({ db }: KeyContext, { token }: TokenCaller) {
  const rows = await keysOf(db, token.id)
  return {
    keys: rows.map((row) => ({
      id: row.id,
      name: row.name,
      algorithm: row.algorithm,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
  }
}

/** Takes effect with the next message, on every instance. 404 for a key of another token. */
export async function endKey({ db }: KeyContext, caller: TokenCaller, id: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await deleteKey(trx, caller.token.id, id)
    if (!deleted) throw notFound('TSIG key', id)
    await recordAudit(trx, caller, {
      action: 'tsig_key.deleted',
      target: { type: 'tsig_key', id, name: deleted.name },
    })
  })
}
