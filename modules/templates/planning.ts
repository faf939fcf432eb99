import type { Caller } from '../../plugins/security/access/index.ts'
import { AppError, forbidden, notFound } from '../../plugins/http/errors.ts'
import { parseOwner } from '../../dns/names/names.ts'
import {
  applyChanges,
  draftDomains,
  keepDomainsPlan,
  requireApplied,
  type RecordContext,
  type DomainsIntent,
} from '../records/service.ts'
import { readVariables, render } from './rendered.ts'
import { requestsOf } from './requests.ts'
import type { PlanBody, Template } from './schemas.ts'
import { readTemplate } from './service.ts'

/** Plans the template for each of the domains and keeps the plan, so that exactly this can be applied. */
export async function planTemplate(context: RecordContext, caller: Caller, id: string, body: PlanBody) {
  const template = await readTemplate(context.db, caller, id)
  const intent = intentOf(template, await readVariables(template, body.variables), body.mode)
  const plans = await draftDomains(context, caller, body.domainIds, intent)
  const missing = body.domainIds.find((id) => !plans.some(({ domain }) => domain.id === id.toLowerCase()))
  if (missing !== undefined) throw notFound('domain', missing)
  return keepDomainsPlan(context, caller, 'template', plans, body.limit)
}

/** All or nothing per domain: half of a mail setup doesn't work. */
function intentOf(
  template: Template,
  variables: ReadonlyMap<string, string>,
  mode: PlanBody['mode'],
): DomainsIntent {
  return {
    together: true,
    namesIn: ({ name: zone }) => {
      const names = render(template, variables, zone).map(({ name }) => parseOwner(name, zone))
      return [...new Set(names.flatMap((owner) => (owner.ok ? [owner.name] : [])))]
    },
    requestsIn: (zone, _domain, current) =>
      requestsOf(render(template, variables, zone.name), mode, zone, current),
  }
}

/**
 * Validates the template and its variables for a domain about to be registered (400, 403, 404), and returns a
 * function that applies it. That function returns warnings, or why it was not applied; the domain stays
 * registered in any case.
 */
export async function prepareStart(
  context: RecordContext,
  caller: Caller,
  { id, variables }: { id: string; variables?: Record<string, string> },
): Promise<(domainId: string) => Promise<string[]>> {
  if (caller.token && !caller.token.permissions.includes('records:write')) {
    throw forbidden('This token lacks the permission records:write, which templates require')
  }
  const template = await readTemplate(context.db, caller, id)
  const intent = intentOf(template, await readVariables(template, variables), 'add')
  return async (domainId) => {
    const [plan] = await draftDomains(context, caller, [domainId], intent)
    if (!plan) return [`No domain ${domainId}`]
    const notDone = `The template ${template.name} was not applied`
    if (plan.blocked.length > 0) return plan.blocked.map(({ detail }) => `${notDone}: ${detail}`)
    try {
      const intent = { kind: 'requests', source: 'template', requests: plan.requests } as const
      requireApplied(await applyChanges(context, caller, domainId, intent))
      return plan.warnings.map(({ message }) => message)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return [`${notDone}: ${error.message}`]
    }
  }
}
