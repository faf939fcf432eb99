import type { Body } from './answers.ts'
import type { AzureSet, AzureZone } from './azure-zone.ts'

/* What is told of a zone and what is in it; `scope`: the path that they are below. */

/** In small letters, whatever was asked for. */
const idOf = (scope: string, { name }: AzureZone) => `${scope}/dnszones/${name}`

export const shownZone = (scope: string, zone: AzureZone) => ({
  id: idOf(scope, zone),
  name: zone.name,
  type: 'Microsoft.Network/dnszones',
  etag: zone.etag,
  location: 'global',
  tags: zone.tags,
  properties: {
    maxNumberOfRecordSets: 10_000,
    maxNumberOfRecordsPerRecordSet: null,
    nameServers: zone.nameServers,
    numberOfRecordSets: zone.size,
    zoneType: 'Public',
  },
})

export const shownSet = (scope: string, zone: AzureZone, { name, type, etag, properties }: AzureSet) => ({
  id: `${idOf(scope, zone)}/${type}/${name}`,
  name,
  type: `Microsoft.Network/dnszones/${type}`,
  etag,
  properties,
})

/** There are no keys until it is done. */
export const shownSigning = (scope: string, zone: AzureZone, isDone: boolean) => ({
  id: `${idOf(scope, zone)}/dnssecConfigs/default`,
  name: 'default',
  type: 'Microsoft.Network/dnszones/dnssecConfigs',
  etag: zone.etag,
  properties: { provisioningState: isDone ? 'Succeeded' : 'Creating', signingKeys: isDone ? KEYS : [] },
})

const DIGEST = 'E2D3C916F6DEEAC73294E8268FB5885044A833FC5459588F4A9184CFC41A5766'
const key = (flags: number, keyTag: number, delegationSignerInfo: Body[]): Body => ({
  delegationSignerInfo,
  flags,
  keyTag,
  protocol: 3,
  publicKey: 'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxIL',
  securityAlgorithmType: 13,
})
const KEYS = [
  key(256, 37_721, []),
  key(257, 60_485, [{ digestAlgorithmType: 2, digestValue: DIGEST, record: `60485 13 2 ${DIGEST}` }]),
]
