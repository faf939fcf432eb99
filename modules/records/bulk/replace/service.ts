import type { Principal } from '../../../../plugins/security/access/index.ts'
import { invalid } from '../../../../plugins/http/errors.ts'
import type { RecordContext } from '../../context.ts'
import { draftDomains } from '../draft.ts'
import { keepDomainsPlan } from '../kept.ts'
import { MAX_DOMAINS, MAX_STEPS } from '../planned.ts'
import { findInside, findSought } from './find-queries.ts'
import { readReplacement, requestsFor } from './replacement.ts'
import type { ReplaceBody } from './schemas.ts'

/** Plans a replacement in all domains that the caller sees, and keeps the plan. */
export async function planReplacement(context: RecordContext, principal: Principal, body: ReplaceBody) {
  const replacement = readReplacement(body)
  const scope = body.scope ?? {}
  const found = [
    ...(await findSought(context.db, principal, replacement.sought, scope, MAX_STEPS + 1)),
    ...(await findInside(context.db, principal, replacement, scope, MAX_STEPS + 1)),
  ]
  const byDomain = Map.groupBy(found, ({ domain_id }) => domain_id)
  if (found.length > MAX_STEPS || byDomain.size > MAX_DOMAINS) {
    const message = `finds more than ${MAX_STEPS} records or ${MAX_DOMAINS} domains; limit it with \`scope\``
    throw invalid({ path: '/find', code: 'too_many_found', message })
  }
  const plans = await draftDomains(context, principal, [...byDomain.keys()], {
    together: false,
    namesIn: ({ id }) => [...new Set(byDomain.get(id)?.map(({ name }) => name))],
    requestsIn: (_zone, { id }, current) => requestsFor(byDomain.get(id) ?? [], current, replacement),
  })
  return keepDomainsPlan(context, principal, 'replace', plans, body.limit)
}
