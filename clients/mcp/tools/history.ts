import { z } from 'zod'
import type { Change, RecordContent } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { Content, DomainInput, PageInput, toContent } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { changeLines, short, SHOWN_ITEMS } from '../words.ts'

const Item = z.object({
  before: Content.nullable(),
  after: Content.nullable(),
  outcome: z.string().describe('applied, failed or pending'),
})

const Entry = z.object({
  id: z.string(),
  at: z.string(),
  by: z.string(),
  source: z.string(),
  status: z.string(),
  itemCount: z.number(),
  items: z.array(Item),
})

const shortened = (content: RecordContent | null) =>
  content && toContent({ ...content, value: short(content.value) })

const toEntry = (change: Change): z.input<typeof Entry> => {
  const { id, createdAt: at, actor, source, status, itemCount } = change
  const items = change.items.slice(0, SHOWN_ITEMS).map(({ before, after, outcome }) => ({
    before: shortened(before),
    after: shortened(after),
    outcome,
  }))
  return { id, at, by: actor.name, source, status, itemCount, items }
}

export const history = tool({
  name: 'history',
  title: 'History of a domain',
  description: `Lists changes of a domain's records, newest first, with user and time and the first ${SHOWN_ITEMS} records of each. undo takes the id of a change.`,
  annotations: READS,
  input: z.strictObject({
    domain: DomainInput,
    name: z.string().min(1).max(253).exactOptional().describe('Only changes of records of this name'),
    type: z.string().max(20).exactOptional().describe('Only changes of records of this type'),
    page: PageInput,
    limit: z.int().min(1).max(20).default(10).describe('Changes per page'),
  }),
  output: z.object({
    domain: z.string(),
    changes: z.array(Entry),
    total: z.number(),
    page: z.number(),
  }),
  async run(client, { domain, name, type, page, limit }) {
    const { id, name: zone } = await findDomain(client, domain)
    const query = { page, limit, ...(name !== undefined && { name }), ...(type !== undefined && { type }) }
    const { changes, total } = await client.GET('/api/v1/domains/{id}/changes', { path: { id }, query })
    return {
      lines: [
        `${zone}: ${changes.length} of ${total} changes, page ${page}`,
        ...changes.flatMap(changeLines),
      ],
      content: {
        domain: zone,
        changes: changes.map(toEntry),
        total,
        page,
      },
    }
  },
})
