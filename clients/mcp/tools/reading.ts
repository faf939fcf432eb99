import { z } from 'zod'
import { findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { Domain, DomainInput, ListedRecord, PageInput, toDomain, toListed } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { domainLine, listedLine, short } from '../words.ts'

const Limit = z.int().min(1).max(100).default(50).describe('Rows per page')

const listDomains = tool({
  name: 'list_domains',
  title: 'List domains',
  description: 'Lists the domains the token can see, page by page.',
  annotations: READS,
  input: z.strictObject({
    search: z.string().min(1).max(253).exactOptional().describe('Part of the name'),
    page: PageInput,
    limit: Limit,
  }),
  output: z.object({ domains: z.array(Domain), total: z.number(), page: z.number() }),
  async run(client, query) {
    const { domains, total, page } = await client.GET('/api/v1/domains', { query })
    return {
      lines: [`${domains.length} of ${total} domains, page ${page}`, ...domains.map(domainLine)],
      content: { domains: domains.map(toDomain), total, page },
    }
  },
})

const getDomain = tool({
  name: 'get_domain',
  title: 'Read a domain',
  description: 'Returns one domain: registration, name servers, notes and last sync with the DNS provider.',
  annotations: READS,
  input: z.strictObject({ domain: DomainInput }),
  output: z.object({
    ...Domain.shape,
    nameServers: z.array(z.string()),
    registrar: z.string().nullable(),
    notes: z.string(),
    defaultTtl: z.number(),
    unmanaged: z.number().describe('Records of types that are not managed'),
    lastSyncedAt: z.string().nullable(),
    lastSyncError: z.string().nullable(),
  }),
  async run(client, input) {
    const { id } = await findDomain(client, input.domain)
    const domain = await client.GET('/api/v1/domains/{id}', { path: { id } })
    const { nameServers, registrar, defaultTtl, unmanaged, lastSyncedAt, lastSyncError } = domain
    const notes = short(domain.notes)
    return {
      lines: [
        domainLine(domain),
        `Name servers: ${nameServers.join(', ') || 'unknown'}; default TTL ${defaultTtl}`,
        ...(registrar ? [`Registrar: ${printable(registrar)}`] : []),
        ...(notes ? [`Notes: ${printable(notes)}`] : []),
        `Last sync: ${lastSyncedAt ?? 'none'}${lastSyncError ? `, failed: ${printable(lastSyncError)}` : ''}`,
      ],
      content: {
        ...toDomain(domain),
        nameServers,
        registrar,
        notes,
        defaultTtl,
        unmanaged,
        lastSyncedAt,
        lastSyncError,
      },
    }
  },
})

const listRecords = tool({
  name: 'list_records',
  title: 'List records of a domain',
  description:
    'Lists the DNS records of one domain, page by page, each with the id that plan_changes needs. ' +
    'Long values are truncated.',
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    search: z.string().min(1).max(253).exactOptional().describe('Part of the host name or value'),
    types: z.array(z.string().max(20)).max(20).exactOptional().describe('Such as ["A", "AAAA"]'),
    cursor: z.string().max(1000).exactOptional().describe('nextCursor of the previous page'),
    limit: Limit,
  }),
  output: z.object({
    domain: z.string(),
    records: z.array(ListedRecord),
    total: z.number(),
    nextCursor: z.string().nullable(),
  }),
  async run(client, { domain, search, types, cursor, limit }) {
    const { id, name } = await findDomain(client, domain)
    const { records, total, nextCursor } = await client.GET('/api/v1/domains/{id}/records', {
      path: { id },
      query: {
        limit,
        ...(search !== undefined && { search, in: 'name,value' }),
        ...(types !== undefined && { type: types }),
        ...(cursor !== undefined && { cursor }),
      },
    })
    return {
      lines: [
        `${name}: ${records.length} of ${total} records (name, TTL, type, value)`,
        ...records.map(listedLine),
        ...(nextCursor === null ? [] : [`More with cursor ${nextCursor}`]),
      ],
      content: { domain: name, records: records.map(toListed), total, nextCursor },
    }
  },
})

const searchRecords = tool({
  name: 'search_records',
  title: 'Search records of all domains',
  description:
    'Searches the DNS records of all domains the token can see: by part of a host name or value, by full name, or by ' +
    'address. Long values are truncated.',
  annotations: READS,
  input: z.strictObject({
    query: z.string().min(1).max(253).describe('Part of a host name or value, an address or a network'),
    page: PageInput,
    limit: Limit,
  }),
  output: z.object({
    records: z.array(z.object({ domain: z.string(), ...ListedRecord.shape })),
    total: z.number(),
    page: z.number(),
  }),
  async run(client, { query, page, limit }) {
    const found = await client.GET('/api/v1/records/search', { query: { q: query, page, limit } })
    return {
      lines: [
        `${found.records.length} of ${found.total} records, page ${page}`,
        ...found.records.map((record) => `${record.domainName}: ${listedLine(record)}`),
      ],
      content: {
        records: found.records.map((record) => ({ domain: record.domainName, ...toListed(record) })),
        total: found.total,
        page,
      },
    }
  },
})

export const readingTools = [listDomains, getDomain, listRecords, searchRecords]
