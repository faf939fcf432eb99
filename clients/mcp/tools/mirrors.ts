import { z } from 'zod'
import type { Mirror } from '../../typescript/index.ts'
import { findDomain } from '../../domain-names.ts'
import { DomainInput } from '../shapes.ts'
import { READS, tool } from '../tool.ts'
import { planLines, short } from '../words.ts'

/** Findings in one result. */
const SHOWN = 20

const MirrorId = z.uuid().describe('Id of the mirror, from list_mirrors')

const Shown = z.object({
  id: z.string(),
  provider: z.string(),
  state: z.string().describe('in_step, behind, failed or differs'),
  behind: z.number().describe('Changes still to be applied there'),
  differences: z.number().nullable().describe('Records that the last comparison found different'),
  error: z.string().nullable(),
  findings: z.array(z.string()).describe('What the provider can’t hold as the domain has it'),
  nameServers: z.array(z.string()),
})

const toShown = (mirror: Mirror): z.input<typeof Shown> => ({
  id: mirror.id,
  provider: mirror.providerName,
  state: mirror.state,
  behind: mirror.behind,
  differences: mirror.differences,
  error: mirror.error,
  findings: mirror.findings.slice(0, SHOWN).map(({ message }) => short(message)),
  nameServers: mirror.nameServers,
})

const lineOf = ({ id, providerName, state, behind, error }: Mirror) =>
  `${providerName} ${state}, ${behind} changes behind${error === null ? '' : `: ${error}`} (${id})`

const listMirrors = tool({
  name: 'list_mirrors',
  title: 'Mirrors of a domain',
  description:
    'Lists the zones at other DNS providers that follow a domain, and whether each has all of its changes.',
  annotations: READS,
  input: z.strictObject({ domain: DomainInput }),
  output: z.object({ domain: z.string(), mirrors: z.array(Shown) }),
  async run(client, { domain }) {
    const { id, name } = await findDomain(client, domain)
    const { mirrors } = await client.GET('/api/v1/domains/{id}/mirrors', { path: { id } })
    return {
      lines: [`${name}: ${mirrors.length} mirrors`, ...mirrors.map(lineOf)],
      content: { domain: name, mirrors: mirrors.map(toShown) },
    }
  },
})

const Counts = { creates: z.number(), updates: z.number(), deletes: z.number() }

const countsOf = ({ creates, updates, deletes }: Record<'creates' | 'updates' | 'deletes', unknown[]>) => ({
  creates: creates.length,
  updates: updates.length,
  deletes: deletes.length,
})

const compareMirror = tool({
  name: 'compare_mirror',
  title: 'Compare a mirror',
  description:
    'Shows what would make a mirror the same as its domain. Changes no record. Show it to the user before sync_mirror.',
  annotations: { ...READS, openWorldHint: true },
  input: z.strictObject({ domain: DomainInput, mirrorId: MirrorId }),
  output: z.object({ domain: z.string(), mirror: Shown, ...Counts }),
  async run(client, { domain, mirrorId }) {
    const { id, name } = await findDomain(client, domain)
    const path = { id, mirrorId }
    const { mirror, plan } = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/compare', { path })
    return {
      lines: [lineOf(mirror), ...planLines(name, plan)],
      content: { domain: name, mirror: toShown(mirror), ...countsOf(plan) },
    }
  },
})

const syncMirror = tool({
  name: 'sync_mirror',
  title: 'Sync a mirror',
  description:
    'Makes a mirror the same as its domain: creates, changes and deletes records at the provider of the mirror. Refused if it would delete more than 30 % of them. Call it only after the user has seen compare_mirror and agreed.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ domain: DomainInput, mirrorId: MirrorId }),
  output: z.object({ domain: z.string(), mirror: Shown, ...Counts, queued: z.boolean() }),
  async run(client, { domain, mirrorId }) {
    const { id, name } = await findDomain(client, domain)
    const path = { id, mirrorId }
    const done = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/sync', { path })
    const { mirror, plan, queued } = done
    return {
      lines: [lineOf(mirror), ...planLines(name, plan)],
      content: { domain: name, mirror: toShown(mirror), ...countsOf(plan), queued },
    }
  },
})

export const mirrorTools = [listMirrors, compareMirror, syncMirror]
