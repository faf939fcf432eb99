import { setTimeout as sleep } from 'node:timers/promises'
import { findDomain } from '../../domain-names.ts'
import { printable } from '../../printable.ts'
import { findProvider } from '../commands/settings/connections.ts'
import { CliError, EXIT } from '../failures.ts'
import type { Schemas } from '../../typescript/index.ts'
import type { Session } from '../session.ts'
import { confirm } from '../terminal/questions.ts'
import { caughtUp, requireInStep, shown } from './view.ts'

const PAUSE_MS = 10_000

/** Guides through the move of a domain to another provider, and continues where an earlier run ended. */
export async function moveDomain(
  session: Session,
  name: string,
  connection: string,
  createZone: boolean,
): Promise<void> {
  const client = await session.client()
  const { id } = await findDomain(client, name)
  const providerConfigId = await findProvider(client, connection)
  const domain = await client.GET('/api/v1/domains/{id}', { path: { id } })
  const { mirrors } = await client.GET('/api/v1/domains/{id}/mirrors', { path: { id } })
  if (domain.providerConfigId === providerConfigId)
    throw new CliError(
      EXIT.refused,
      `${printable(domain.name)} is at that provider already; remove its mirrors with mirrors rm`,
    )
  const found = mirrors.find((mirror) => mirror.providerConfigId === providerConfigId)
  const body = { providerConfigId, createZone }
  const added = found ?? (await client.POST('/api/v1/domains/{id}/mirrors', { path: { id }, body }))
  const path = { id, mirrorId: added.id }

  await session.note('1. Waiting until the new provider has all records')
  const mirror = await caughtUp(session, client, id, added)
  requireInStep(mirror)
  await session.note(`2. Set these name servers at your registrar: ${shown(mirror.nameServers)}`)
  const delegation = () => client.GET('/api/v1/domains/{id}/mirrors/{mirrorId}/delegation', { path })
  let seen = await delegation()
  if (seen.state === 'unknown')
    await confirm(session, 'The parent zone can’t be asked. Have the name servers been changed?')
  else await session.note('3. Waiting until the parent zone delegates to them')
  while (seen.state !== 'unknown' && !isDelegated(seen)) {
    await session.note(`   ${seen.state}: ${shown(seen.parent)}`)
    await sleep(PAUSE_MS)
    seen = await delegation()
  }
  await confirm(session, '4. Apply changes at the new provider first from now on?')
  const promoted = await client.POST('/api/v1/domains/{id}/mirrors/{mirrorId}/promote', { path, body: {} })
  if (promoted.mirrorId !== null) {
    await session.note(
      '5. Resolvers may ask the old provider until the TTL of the old delegation is over, often two days',
    )
    await session.note(`   Then run: zonekeeper mirrors rm ${printable(domain.name)} ${promoted.mirrorId}`)
  }
  if (session.options.json) await session.answer(promoted)
  else await session.say(`${printable(domain.name)} is at ${printable(mirror.providerName)} now`)
}

/** Whether the parent names servers of the mirror only. Both providers may have the same. */
function isDelegated({ parent, mirror }: Schemas['MirrorDelegation']): boolean {
  const ofMirror = new Set(mirror.map(plain))
  return parent.length > 0 && parent.every((name) => ofMirror.has(plain(name)))
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')
