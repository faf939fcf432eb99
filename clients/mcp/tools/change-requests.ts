import { z } from 'zod'
import type { ChangeRequest, Zonekeeper } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { Refusal } from '../errors.ts'
import { isWholeRequest, requestLine, requestLines } from '../request-words.ts'
import {
  DomainInput,
  laterInput,
  PageInput,
  PlanId,
  Request,
  RequestDetails,
  RequestId,
  toRequest,
  toRequestDetails,
} from '../shapes.ts'
import { READS, tool } from '../tool.ts'

/** Writes in this service only, which nobody's DNS depends on. */
const NOTES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

/** Ends a request. */
const ENDS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

const STATUSES = ['open', 'approved', 'applied', 'failed', 'rejected', 'withdrawn', 'outdated'] as const

const listChangeRequests = tool({
  name: 'list_change_requests',
  title: 'List change requests',
  description: 'Lists requested changes of records that wait for approval, or were decided; newest first.',
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput.exactOptional(),
    status: z.enum(STATUSES).exactOptional().describe('Only requests with this status'),
    author: z.string().min(1).max(64).exactOptional().describe('Only requests of this user name'),
    canApprove: z.literal(true).exactOptional().describe('Only open requests that the user may approve'),
    page: PageInput,
    limit: z.int().min(1).max(100).default(20).describe('Requests per page'),
  }),
  output: z.object({ requests: z.array(Request), total: z.number(), page: z.number() }),
  async run(client, { domain, ...filters }) {
    const query = {
      ...filters,
      ...(domain !== undefined && { domainId: (await findDomain(client, domain)).id }),
    }
    const { requests, total, page } = await client.GET('/api/v1/change-requests', { query })
    return {
      lines: [`${requests.length} of ${total} change requests, page ${page}`, ...requests.map(requestLine)],
      content: { requests: requests.map(toRequest), total, page },
    }
  },
})

const getChangeRequest = tool({
  name: 'get_change_request',
  title: 'Read a change request',
  description:
    'Returns a change request: its plan, author, reason, warnings and timeline. Show all of it to the user before ' +
    'approve_change_request.',
  annotations: READS,
  input: z.strictObject({ requestId: RequestId }),
  output: RequestDetails,
  run: async (client, { requestId: id }) =>
    shown(await client.GET('/api/v1/change-requests/{id}', { path: { id } })),
})

const openChangeRequest = tool({
  name: 'open_change_request',
  title: 'Open a change request',
  description:
    'Asks for the approval of a plan of plan_changes or undo, where the domain requires a review (review_required) or the ' +
    'user wants one. Nothing changes at the DNS provider and the possible approvers are notified.',
  annotations: NOTES,
  input: z.strictObject({
    domain: DomainInput,
    planId: PlanId,
    title: z.string().min(1).max(200).describe('What the change is for, in a few words'),
    reason: z.string().max(2000).exactOptional().describe('Why the change is wanted'),
    ...laterInput,
  }),
  output: RequestDetails,
  async run(client, { domain, ...body }) {
    const { id } = await findDomain(client, domain)
    return shown(await client.POST('/api/v1/domains/{id}/change-requests', { path: { id }, body }))
  },
})

const commentOnChangeRequest = tool({
  name: 'comment_on_change_request',
  title: 'Comment on a change request',
  description: 'Adds a comment to the timeline of a change request, in the name of the user.',
  annotations: NOTES,
  input: z.strictObject({
    requestId: RequestId,
    text: z.string().min(1).max(2000).describe('The comment'),
  }),
  output: RequestDetails,
  run: async (client, { requestId: id, text }) =>
    shown(await client.POST('/api/v1/change-requests/{id}/comments', { path: { id }, body: { text } })),
})

const withdrawChangeRequest = tool({
  name: 'withdraw_change_request',
  title: 'Withdraw a change request',
  description: "Ends the user's own change request, which is then not applied.",
  annotations: ENDS,
  input: z.strictObject({ domain: DomainInput, requestId: RequestId }),
  output: RequestDetails,
  async run(client, { domain, requestId: id }) {
    await requireIn(client, domain, id)
    return shown(await client.POST('/api/v1/change-requests/{id}/withdraw', { path: { id } }))
  },
})

const rejectChangeRequest = tool({
  name: 'reject_change_request',
  title: 'Reject a change request',
  description:
    'Rejects the change request of another person with a reason, which its author can read. Needs a token with ' +
    'changes:review. Call it only after the user has decided.',
  annotations: ENDS,
  input: z.strictObject({
    domain: DomainInput,
    requestId: RequestId,
    reason: z.string().min(1).max(2000).describe('Shown to the author'),
  }),
  output: RequestDetails,
  async run(client, { domain, requestId: id, reason }) {
    await requireIn(client, domain, id)
    return shown(await client.POST('/api/v1/change-requests/{id}/reject', { path: { id }, body: { reason } }))
  },
})

const approveChangeRequest = tool({
  name: 'approve_change_request',
  title: 'Approve a change request and apply it',
  description:
    'Approves the change request of another person and applies its plan at the DNS provider: exactly as shown, or not at ' +
    'all. Needs a token with changes:review. Call it only after the user has seen the plan of get_change_request and agreed.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    domain: DomainInput,
    requestId: RequestId,
    revision: z.int().min(1).describe('revision that get_change_request has shown'),
  }),
  output: RequestDetails,
  async run(client, { domain, requestId: id, revision }) {
    const request = await requireIn(client, domain, id)
    if (!isWholeRequest(request))
      throw new Refusal('This change request is too long to be shown; approve it in the console')
    return shown(
      await client.POST('/api/v1/change-requests/{id}/approve', { path: { id }, body: { revision } }),
    )
  },
})

/** Returns the request, whose domain the confirmation names. Rejects with Refusal if it belongs to another one. */
async function requireIn(client: Zonekeeper, domain: string, id: string): Promise<ChangeRequest> {
  const [{ id: domainId }, request] = await Promise.all([
    findDomain(client, domain),
    client.GET('/api/v1/change-requests/{id}', { path: { id } }),
  ])
  if (request.domainId !== domainId) throw new Refusal('This change request belongs to another domain')
  return request
}

/** Returns the request for the user; one that is too long to be shown in full can't be approved from here. */
function shown(request: ChangeRequest) {
  if (isWholeRequest(request)) return { lines: requestLines(request), content: toRequestDetails(request) }
  const plan = { ...request.plan, creates: [], updates: [], deletes: [], warnings: [] }
  const part = { ...request, plan, timeline: request.timeline.slice(-20) }
  return {
    lines: ['Too long to be shown in full; its plan is left out.', ...requestLines(part)],
    content: toRequestDetails(part),
  }
}

export const changeRequestTools = [
  listChangeRequests,
  getChangeRequest,
  openChangeRequest,
  commentOnChangeRequest,
  withdrawChangeRequest,
  rejectChangeRequest,
  approveChangeRequest,
]
