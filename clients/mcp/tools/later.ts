import { z } from 'zod'
import type { Change } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { DomainInput, PageInput } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { changeLines } from '../words.ts'

const ChangeId = z.uuid().describe('changeId of apply_plan, or of list_waiting_changes')

const Waiting = z.object({
  id: z.string(),
  by: z.string(),
  status: z.string().describe('scheduled, cancelled, or what became of it'),
  applyAt: z.string().nullable().describe('When it is, or was, to be applied'),
  confirmation: z.string().nullable().describe('unconfirmed: it is reverted at confirmBy'),
  confirmBy: z.string().nullable(),
  itemCount: z.number(),
})

const toWaiting = ({ id, actor, status, applyAt, confirmation, itemCount }: Change) => ({
  id,
  by: actor.name,
  status,
  applyAt,
  confirmation: confirmation?.status ?? null,
  confirmBy: confirmation?.confirmBy ?? null,
  itemCount,
})

const linesOf = (change: Change): string[] => {
  const [head = '', ...items] = changeLines(change)
  const { applyAt, confirmation } = change
  const times = [
    ...(change.status === 'scheduled' ? [`is applied at ${applyAt}`] : []),
    ...(confirmation?.status === 'unconfirmed'
      ? [`is reverted at ${confirmation.confirmBy} unless it is confirmed`]
      : []),
  ]
  return [printable([head, ...times].join(', ')), ...items]
}

const shown = (change: Change) => ({ lines: linesOf(change), content: toWaiting(change) })

const listWaitingChanges = tool({
  name: 'list_waiting_changes',
  title: 'List changes that wait',
  description:
    'Lists the changes of a domain that are scheduled, or that are reverted unless they are confirmed, with their records.',
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    status: z.enum(['scheduled', 'unconfirmed']).describe('Which of them'),
    page: PageInput,
  }),
  output: z.object({ changes: z.array(Waiting), total: z.number(), page: z.number() }),
  async run(client, { domain, ...query }) {
    const { id, name } = await findDomain(client, domain)
    const { changes, total, page } = await client.GET('/api/v1/domains/{id}/changes', { path: { id }, query })
    return {
      lines: [
        `${name}: ${changes.length} of ${total} ${query.status} changes, page ${page}`,
        ...changes.flatMap(linesOf),
      ],
      content: { changes: changes.map(toWaiting), total, page },
    }
  },
})

/** Changes no record itself, but what becomes of one. */
const DECIDES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

const cancelChange = tool({
  name: 'cancel_change',
  title: 'Cancel a scheduled change',
  description:
    'Cancels a change that waits for its time, so that it is not applied. Needs a token with changes:apply. Call it only ' +
    'after the user has agreed.',
  annotations: DECIDES,
  input: z.strictObject({ domain: DomainInput, changeId: ChangeId }),
  output: Waiting,
  async run(client, { domain, changeId }) {
    const { id } = await findDomain(client, domain)
    const path = { id, changeId }
    return shown(await client.POST('/api/v1/domains/{id}/changes/{changeId}/cancel', { path }))
  },
})

const applyScheduledChange = tool({
  name: 'apply_scheduled_change',
  title: 'Apply a scheduled change now',
  description:
    'Applies a change that waits for its time now: exactly as it was scheduled, or not at all. status says what became of ' +
    'it. Needs a token with changes:apply. Call it only after the user has agreed.',
  annotations: { ...DECIDES, openWorldHint: true },
  input: z.strictObject({ domain: DomainInput, changeId: ChangeId }),
  output: Waiting,
  async run(client, { domain, changeId }) {
    const { id } = await findDomain(client, domain)
    const path = { id, changeId }
    return shown(await client.POST('/api/v1/domains/{id}/changes/{changeId}/apply', { path }))
  },
})

const confirmChange = tool({
  name: 'confirm_change',
  title: 'Confirm a change',
  description:
    'Confirms an applied change, which is reverted otherwise. Needs a token with changes:apply. Call it only after the user ' +
    'has checked that everything works and agreed.',
  annotations: DECIDES,
  input: z.strictObject({ domain: DomainInput, changeId: ChangeId }),
  output: Waiting,
  async run(client, { domain, changeId }) {
    const { id } = await findDomain(client, domain)
    const path = { id, changeId }
    return shown(await client.POST('/api/v1/domains/{id}/changes/{changeId}/confirm', { path }))
  },
})

const confirmOperation = tool({
  name: 'confirm_operation',
  title: 'Confirm a whole operation',
  description:
    'Confirms the applied changes of an operation in all of its domains, which are reverted otherwise. left names those that ' +
    'could not be confirmed, each with the reason. Needs a token with changes:apply. Call it only after the user has checked ' +
    'that everything works and agreed.',
  annotations: DECIDES,
  input: z.strictObject({
    operationId: z.uuid().describe('operationId of apply_plan, or id of another operation'),
  }),
  output: z.object({
    confirmed: z.number(),
    left: z.array(
      z.object({ domainId: z.string(), changeId: z.string(), code: z.string(), detail: z.string() }),
    ),
    leftCount: z.number().describe('left lists at most 100'),
    hidden: z.number().describe('In domains that the token does not see'),
  }),
  async run(client, { operationId }) {
    const result = await client.POST('/api/v1/operations/{id}/confirm', { path: { id: operationId } })
    const { confirmed, left, leftCount, hidden } = result
    return {
      lines: [
        `${confirmed} changes confirmed, ${leftCount} not${hidden > 0 ? `, ${hidden} in domains you don't see` : ''}`,
        ...left.map(({ domainId, changeId, code, detail }) =>
          printable(`change ${changeId} of domain ${domainId}: ${code}: ${detail}`),
        ),
      ],
      content: { confirmed, left, leftCount, hidden },
    }
  },
})

export const laterTools = [
  listWaitingChanges,
  cancelChange,
  applyScheduledChange,
  confirmChange,
  confirmOperation,
]
