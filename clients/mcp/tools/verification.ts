import { z } from 'zod'
import type { Verification } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { DomainInput } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { short } from '../words.ts'

const Input = z.strictObject({
  domain: DomainInput,
  changeId: z.uuid().describe('id of a change, as history and apply_plan return it'),
})

const Output = z.object({
  status: z
    .string()
    .describe(
      'none (never begun), waiting, verified, failed (not within ten minutes), superseded (by newer changes), not_comparable or unreachable',
    ),
  agreeing: z.number().describe('Name servers that serve the change'),
  comparable: z.number().describe('Name servers that can be compared'),
  servers: z.array(
    z.object({
      server: z.string(),
      address: z.string(),
      state: z.string().describe('agrees, differs, no_answer, refused, lame or not_comparable'),
      name: z.string().nullable(),
      type: z.string().nullable(),
      answer: z.array(z.string()).nullable(),
    }),
  ),
})

function shown(found: Verification) {
  const { status, agreeing, comparable } = found
  const servers = found.servers.map(({ server, address, state, name, recordType, answer }) => ({
    server,
    address,
    state,
    name,
    type: recordType,
    answer: answer?.map(short) ?? null,
  }))
  const lines = servers.map(({ server, address, state, name, type, answer }) => {
    const what = name === null ? '' : ` ${name} ${type ?? ''}: ${answer?.join(', ') || 'no records'}`
    return `- ${printable(server)} (${address}) ${state}${printable(what)}`
  })
  return {
    lines: [`${status}: ${agreeing} of ${comparable} name servers serve the change`, ...lines],
    content: { status, agreeing, comparable, servers },
  }
}

const getVerification = tool({
  name: 'get_verification',
  title: 'Verification of a change',
  description:
    'Returns whether the name servers of the zone serve an applied change, as of the last time they were asked.',
  annotations: READS,
  input: Input,
  output: Output,
  async run(client, { domain, changeId }) {
    const { id } = await findDomain(client, domain)
    const path = { id, changeId }
    return shown(await client.GET('/api/v1/domains/{id}/changes/{changeId}/verification', { path }))
  },
})

/** Asks name servers; nobody's DNS depends on that. */
const ASKS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true }

const verifyChange = tool({
  name: 'verify_change',
  title: 'Verify a change on the name servers',
  description:
    'Begins to ask all name servers of the zone whether they serve an applied change; get_verification returns the result, which takes up to ten minutes. Changes no records.',
  annotations: ASKS,
  input: Input,
  output: Output,
  async run(client, { domain, changeId }) {
    const { id } = await findDomain(client, domain)
    return shown(
      await client.POST('/api/v1/domains/{id}/changes/{changeId}/verify', { path: { id, changeId } }),
    )
  },
})

export const verificationTools = [getVerification, verifyChange]
