import { z } from 'zod'
import type { Schemas } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { DomainInput, PageInput } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { short } from '../words.ts'

const Finding = z.object({
  domain: z.string(),
  code: z.string(),
  severity: z.string().describe('error, warning or info'),
  name: z.string().describe('Relative to the domain; @ for what concerns all of it'),
  type: z.string().nullable(),
  detail: z.string(),
  explanation: z.string(),
  canBeFixed: z.boolean().describe('Whether the API has changes that remove it'),
  since: z.string(),
})

const toFinding = (found: Schemas['HealthFinding']): z.input<typeof Finding> => {
  const { domainName: domain, code, severity, name, type, explanation, fix, since } = found
  const detail = short(found.detail)
  return { domain, code, severity, name, type, detail, explanation, canBeFixed: fix !== null, since }
}

const lineOf = ({ domainName, code, severity, name, type, detail }: Schemas['HealthFinding']) =>
  `- ${severity} ${code} at ${printable(name)}${type === null ? '' : ` ${type}`} of ${domainName}: ${printable(short(detail))}`

const listHealthFindings = tool({
  name: 'list_health_findings',
  title: 'List problems of domains',
  description: 'Lists what the last health checks found wrong with domains, the most severe first.',
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput.exactOptional(),
    severity: z.enum(['error', 'warning', 'info']).exactOptional().describe('Only findings of this severity'),
    page: PageInput,
    limit: z.int().min(1).max(100).default(50).describe('Findings per page'),
  }),
  output: z.object({ findings: z.array(Finding), total: z.number(), page: z.number() }),
  async run(client, { domain, ...filters }) {
    const query = {
      ...filters,
      ...(domain !== undefined && { domainId: (await findDomain(client, domain)).id }),
    }
    const { findings, total, page } = await client.GET('/api/v1/health-findings', { query })
    return {
      lines: [`${findings.length} of ${total} findings, page ${page}`, ...findings.map(lineOf)],
      content: { findings: findings.map(toFinding), total, page },
    }
  },
})

/** Asks name servers and stores findings; nobody's DNS depends on that. */
const ASKS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true }

const checkHealth = tool({
  name: 'check_health',
  title: 'Check the health of a domain',
  description:
    'Checks one domain now, which takes some seconds, and returns what is wrong with it. Changes no records.',
  annotations: ASKS,
  input: z.strictObject({ domain: DomainInput }),
  output: z.object({
    domain: z.string(),
    findings: z.array(Finding),
    notChecked: z.array(z.object({ codes: z.array(z.string()), detail: z.string() })),
  }),
  async run(client, { domain }) {
    const { id } = await findDomain(client, domain)
    const health = await client.POST('/api/v1/domains/{id}/health/check', { path: { id } })
    const notChecked = health.notChecked.map(({ codes, detail }) => ({ codes, detail: short(detail) }))
    return {
      lines: [
        `${health.domainName}: ${health.findings.length} findings`,
        ...health.findings.map(lineOf),
        ...notChecked.map(({ detail }) => `- not checked: ${printable(detail)}`),
      ],
      content: { domain: health.domainName, findings: health.findings.map(toFinding), notChecked },
    }
  },
})

export const healthTools = [listHealthFindings, checkHealth]
