import { MANUAL } from '../helpers/zone.ts'

/** What there is to be called for. */
export interface Place {
  domain: string
  domainName: string
  other: string
  otherName: string
  record: string
  /** A record of another name and type than `record`. */
  secret: string
  config: string
  guest: string
  admin: string
  assignment: string
  otherAssignment: string
  change: string
  otherChange: string
  request: string
  request2: string
  /** The id of nothing. */
  nothing: string
}

/**
 * What a token must reach for a call: nothing but itself; a part of the domain; the domain as a whole, without which
 * it is refused or, where it is about an assignment, finds nothing; the whole account; that of an administrator.
 */
export type Need = 'any' | 'part' | 'whole' | 'assignment' | 'account' | 'admin'

/** One operation, how to call it, and the status of who may. */
export interface Case {
  operation: string
  need: Need
  /** Two where administrators get another answer. */
  done: number | [member: number, admin: number]
  /** The call is about one domain. */
  ofDomain?: boolean
  /** And about one record of it. */
  ofRecord?: boolean
  path?: (place: Place) => Record<string, string>
  query?: (place: Place) => string
  body?: (place: Place) => object
  /** The body is a text of this type, under `text`. */
  contentType?: string
}

type More = Omit<Case, 'operation' | 'need' | 'done' | 'ofDomain'>

const one = (operation: string, need: Need, done: Case['done'], more: More = {}): Case => ({
  operation,
  need,
  done,
  ...more,
})
const ofDomain = (
  operation: string,
  need: 'part' | 'whole' | 'assignment',
  done: Case['done'],
  more: More = {},
): Case => ({
  ...one(operation, need, done, more),
  ofDomain: true,
})

const records = (place: Place) => ({ recordId: place.record })
const changes = (place: Place) => ({ changes: [{ action: 'update', recordId: place.record, ttl: 700 }] })

const noMirror = ({ nothing }: Place) => ({ mirrorId: nothing })

const challenge = ({ domainName }: Place) => ({
  fqdn: `_acme-challenge.${domainName}.`,
  value: 'LHDhK3oGRvkiefQnx7OOczTY5Tic_xZ6HcMOc_gmtoM',
})
const ofName = { path: ({ domainName }: Place) => ({ domain: domainName }) }
const parked = () => ({ id: 'parked' })
const template = () => ({
  name: 'of a program',
  records: [{ recordType: 'A', name: 'www', value: '192.0.2.1' }],
  variables: [],
})
const setting = { body: () => ({ subdomain: 'none', txt: 'none' }) }

const ofNothing = ({ nothing }: Place) => ({ id: nothing })
const connection = () => ({ providerId: MANUAL, name: 'of a program' })
const channel = () => ({
  channel: 'webhook',
  name: 'of a program',
  config: { url: 'https://hooks.example.net/one' },
  events: ['*'],
  enabled: false,
})

/** In the order in which they can be called: what takes the domain away comes last. */
export const CASES: Case[] = [
  one('listDomains', 'part', 200),
  one('listDomainTags', 'part', 200),
  one('listDomainGroups', 'part', 200),
  one('getDashboard', 'part', 200),
  one('getExpiries', 'part', 200),
  one('listRecordTypes', 'part', 200),
  one('listProviders', 'part', 200),
  one('searchRecords', 'part', 200, { query: () => '?q=mark-of' }),
  one('listOperations', 'part', 200),
  one('getOperation', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('getKeptPlan', 'part', 404, { path: ofNothing }),
  one('confirmOperation', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('revertOperation', 'part', 404, { path: ({ nothing }) => ({ id: nothing }), body: () => ({}) }),

  ofDomain('getDomain', 'part', 200),
  ofDomain('listRecords', 'part', 200),
  ofDomain('getRecord', 'part', 200, { path: records, ofRecord: true }),
  ofDomain('getRRset', 'part', 200, { path: () => ({ name: 'app', type: 'A' }) }),
  ofDomain('listUnmanagedRecords', 'part', 200),
  ofDomain('exportZoneFile', 'part', 200),
  ofDomain('listChanges', 'part', 200),
  ofDomain('planRecords', 'part', 200, { body: changes }),
  ofDomain('getDomainHealth', 'part', 200),
  ofDomain('checkDomainHealth', 'part', 200),
  one('listHealthFindings', 'account', 200),
  one('checkAllHealth', 'account', 202),
  one('listChangeRequests', 'account', 200),
  ofDomain('listChangeRequestsOfDomain', 'part', 200),
  ofDomain('openChangeRequest', 'part', 201, {
    body: ({ record }) => ({
      title: 'by a program',
      changes: [{ action: 'update', recordId: record, ttl: 710 }],
    }),
  }),
  one('getChangeRequest', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('editChangeRequest', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ title: 'x' }),
  }),
  one('approveChangeRequest', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ revision: 1 }),
  }),
  one('rejectChangeRequest', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ reason: 'no' }),
  }),
  one('withdrawChangeRequest', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('applyChangeRequest', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('commentOnChangeRequest', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ text: 'why' }),
  }),
  one('listFailoverMonitors', 'account', 200),
  ofDomain('listFailoverMonitorsOfDomain', 'part', 200),
  ofDomain('createFailoverMonitor', 'part', 409, {
    body: () => ({
      name: 'app',
      recordType: 'A',
      alternatives: [
        { name: 'primary', values: ['198.51.100.1'], targets: ['a.example.net'] },
        { name: 'backup', values: ['198.51.100.2'], targets: ['b.example.net'] },
      ],
      check: { kind: 'http' },
    }),
  }),
  one('getFailoverMonitor', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('editFailoverMonitor', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ intervalSeconds: 60 }),
  }),
  one('switchFailoverMonitor', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ to: 'backup' }),
  }),
  one('pauseFailoverMonitor', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('resumeFailoverMonitor', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('approveFailoverMonitor', 'part', 404, {
    path: ({ nothing }) => ({ id: nothing }),
    body: () => ({ revision: 1 }),
  }),
  one('deleteFailoverMonitor', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  // Kept by hand: no host is asked.
  ofDomain('getSoa', 'part', 404),
  ofDomain('getDnssec', 'part', 404),
  ofDomain('getChange', 'part', 200, { path: ({ change }) => ({ changeId: change }) }),
  ofDomain('getVerification', 'part', 200, { path: ({ change }) => ({ changeId: change }) }),
  ofDomain('applyChangeNow', 'part', 404, { path: ({ nothing }) => ({ changeId: nothing }) }),
  ofDomain('cancelChange', 'part', 404, { path: ({ nothing }) => ({ changeId: nothing }) }),
  ofDomain('confirmChange', 'part', 409, { path: ({ change }) => ({ changeId: change }) }),
  ofDomain('verifyChange', 'part', 202, { path: ({ change }) => ({ changeId: change }) }),
  ofDomain('syncDomain', 'whole', 200, { query: () => '?dryRun=true' }),
  ofDomain('restoreRecords', 'part', 200, { body: () => ({ at: new Date().toISOString() }) }),

  ofDomain('createRecord', 'part', 201, {
    body: () => ({ recordType: 'A', name: 'app', value: '192.0.2.7' }),
  }),
  ofDomain('updateRecord', 'part', 200, { path: records, ofRecord: true, body: () => ({ ttl: 600 }) }),
  ofDomain('createRecords', 'part', 200, {
    body: () => ({ records: [{ recordType: 'A', name: 'app', value: '192.0.2.8' }] }),
  }),
  ofDomain('applyRecords', 'part', 200, { body: changes }),
  ofDomain('importZoneFile', 'part', 200, {
    body: () => ({ zonefile: 'app 600 IN A 192.0.2.9\n', mode: 'merge' }),
  }),
  // Changed since: who may not is refused before that.
  ofDomain('revertChange', 'part', 409, {
    path: ({ change }) => ({ changeId: change }),
    query: () => '?dryRun=true',
  }),
  // All of it was done.
  ofDomain('retryChange', 'part', 200, {
    path: ({ change }) => ({ changeId: change }),
    query: () => '?dryRun=true',
  }),
  ofDomain('getZone', 'part', 200),
  ofDomain('putZone', 'part', 200, {
    contentType: 'text/dns',
    body: () => ({ text: 'app 600 IN A 192.0.2.9\n' }),
  }),
  ofDomain('deleteRecord', 'part', 204, { path: records, ofRecord: true }),
  ofDomain('putRRset', 'part', 200, {
    path: () => ({ name: 'app', type: 'A' }),
    body: () => ({ values: ['192.0.2.8'] }),
  }),
  ofDomain('putRRsets', 'part', 200, {
    body: () => ({ rrsets: [{ name: 'app', recordType: 'A', values: ['192.0.2.8'] }] }),
  }),
  ofDomain('deleteRRset', 'part', 204, { path: () => ({ name: 'app', type: 'A' }) }),

  ofDomain('updateDomain', 'whole', 200, { body: () => ({ notes: 'by a program' }) }),
  one('updateDomains', 'whole', 200, {
    body: ({ domain }) => ({ ids: [domain], set: { groupName: 'programs' } }),
  }),
  ofDomain('updateExpiryReminders', 'whole', 200, { body: () => ({ expiryRemindDays: [3] }) }),
  ofDomain('setExpiry', 'whole', 200, { body: () => ({ expiresAt: null }) }),
  ofDomain('checkExpiry', 'whole', 200),
  ofDomain('updateSoa', 'whole', 404, { body: () => ({ refresh: 7200 }) }),
  ofDomain('updateDnssec', 'whole', 404, { body: () => ({ signed: true }) }),
  ofDomain('copyDomain', 'whole', 400, { body: ({ config }) => ({ providerConfigId: config }) }),
  ofDomain('switchDomain', 'whole', 400, { body: ({ config }) => ({ providerConfigId: config }) }),
  ofDomain('listMirrors', 'whole', 200),
  ofDomain('addMirror', 'whole', 400, { body: ({ config }) => ({ providerConfigId: config }) }),
  ofDomain('getMirror', 'whole', 404, { path: noMirror }),
  ofDomain('compareMirror', 'whole', 404, { path: noMirror }),
  ofDomain('syncMirror', 'whole', 404, { path: noMirror }),
  ofDomain('promoteMirror', 'whole', 404, { path: noMirror, body: () => ({}) }),
  ofDomain('getMirrorDelegation', 'whole', 404, { path: noMirror }),
  ofDomain('removeMirror', 'whole', 404, { path: noMirror }),

  one('previewExpiry', 'account', 200, { body: () => ({ domain: 'example.com' }) }),
  one('createDomain', 'account', 201, {
    body: ({ domain, config }) => ({ name: `n${domain.slice(-12)}.example`, providerConfigId: config }),
  }),
  one('importDomains', 'account', 200, {
    body: ({ config }) => ({ providerConfigId: config, zones: ['zone.example'] }),
  }),
  one('listProviderConfigs', 'account', 200),
  one('getProviderConfig', 'account', 200, { path: ({ config }) => ({ id: config }) }),
  one('listProviderZones', 'account', 200, { path: ({ config }) => ({ id: config }) }),

  one('listAssignments', 'part', 200),
  ofDomain('createAssignment', 'whole', 201, {
    body: ({ domain, guest }) => ({
      domainId: domain,
      userId: guest,
      permission: 'read',
      subdomainPattern: 'app',
    }),
  }),
  ofDomain('getAssignment', 'assignment', 200, { path: ({ assignment }) => ({ id: assignment }) }),
  ofDomain('updateAssignment', 'assignment', 200, {
    path: ({ assignment }) => ({ id: assignment }),
    body: () => ({ permission: 'write' }),
  }),
  ofDomain('deleteAssignment', 'assignment', 204, { path: ({ assignment }) => ({ id: assignment }) }),
  one('listAssignmentRequests', 'account', 200),
  one('requestAssignment', 'account', 409, {
    body: ({ domain }) => ({ domain, permission: 'read', reason: 'a test' }),
  }),
  one('getAssignmentRequest', 'account', [404, 200], { path: ({ request }) => ({ id: request }) }),
  one('cancelAssignmentRequest', 'account', [404, 403], { path: ({ request }) => ({ id: request }) }),
  one('approveAssignmentRequest', 'admin', 200, { path: ({ request }) => ({ id: request }) }),
  one('rejectAssignmentRequest', 'admin', 200, {
    path: ({ request2 }) => ({ id: request2 }),
    body: () => ({ reason: 'a test' }),
  }),

  one('listAudit', 'admin', 200),
  one('exportAudit', 'admin', 200),
  one('listNotifications', 'account', 200),
  one('markAllNotificationsRead', 'account', 204),
  one('markNotificationRead', 'account', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('deleteNotification', 'account', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('deleteAllNotifications', 'account', 204),
  // The stream itself would not end; a wrong query is found by those who may open it.
  one('streamNotifications', 'account', 400, { query: () => '?since=1' }),

  one('createProviderConfig', 'account', 201, { body: connection }),
  one('tryProviderConfig', 'account', 200, { body: connection }),
  one('updateProviderConfig', 'account', 404, { path: ofNothing, body: () => ({ name: 'x' }) }),
  one('testProviderConfig', 'account', 404, { path: ofNothing }),
  one('deleteProviderConfig', 'account', 404, { path: ofNothing }),

  one('listChannels', 'admin', 200),
  one('listChannelKinds', 'admin', 200),
  one('createChannel', 'admin', 201, { body: channel }),
  one('getChannel', 'admin', 404, { path: ofNothing }),
  one('updateChannel', 'admin', 404, { path: ofNothing, body: () => ({ name: 'x' }) }),
  one('testChannel', 'admin', 404, { path: ofNothing }),
  one('listDeliveries', 'admin', 404, { path: ofNothing }),
  one('replayDelivery', 'admin', 404, {
    path: ({ nothing }) => ({ id: nothing, deliveryId: nothing }),
  }),
  one('deleteChannel', 'admin', 404, { path: ofNothing }),

  one('listTokens', 'account', 200),
  one('revokeToken', 'account', 404, { path: ofNothing }),

  one('planReplacement', 'part', 200, {
    body: () => ({ find: { type: 'TXT', value: 'mark-of-other' }, replaceWith: { value: 'x' } }),
  }),
  one('applyReplacement', 'part', 404, { body: ({ nothing }) => ({ planId: nothing }) }),
  one('getDomainsPlan', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),

  // Restrictions of names and types that do not cover the challenge refuse it.
  ofDomain('presentChallenge', 'whole', 200, { body: challenge }),
  ofDomain('cleanUpChallenge', 'whole', 200, { body: challenge }),
  one('acmeDnsRegister', 'part', 400, { body: () => ({ allowfrom: ['nowhere'] }) }),
  ofDomain('acmeDnsRegisterBelow', 'whole', 201, ofName),
  // By credentials of their own, or none.
  one('acmeDnsUpdate', 'any', 401, setting),
  one('acmeDnsUpdateBelow', 'any', 401, { ...setting, ...ofName }),
  one('acmeDnsHealth', 'any', 200),
  one('acmeDnsHealthBelow', 'any', 200, ofName),
  one('listAcmeRegistrations', 'part', 200),
  one('endAcmeRegistration', 'part', 404, { path: ({ nothing }) => ({ id: nothing }) }),

  one('listTemplates', 'part', 200),
  one('createTemplate', 'account', 201, { body: template }),
  one('getTemplate', 'part', 200, { path: parked }),
  one('updateTemplate', 'part', 403, { path: parked, body: template }),
  one('deleteTemplate', 'part', 403, { path: parked }),
  one('planTemplate', 'part', 200, {
    path: parked,
    body: ({ domain }) => ({ domainIds: [domain], variables: {} }),
  }),
  one('applyTemplate', 'part', 404, { path: parked, body: ({ nothing }) => ({ planId: nothing }) }),

  one('negotiateExternalDns', 'part', 200),
  one('getExternalDnsRecords', 'part', 200),
  one('adjustExternalDnsEndpoints', 'part', 200, { body: () => [] }),
  one('applyExternalDnsChanges', 'part', 204, { body: () => ({ Create: [] }) }),
  one('getExternalDnsHealth', 'any', 200),

  one('getToken', 'any', 200),
  one('listDomainTransfers', 'account', 200),
  one('getDomainTransfer', 'account', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('acceptDomainTransfer', 'account', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('declineDomainTransfer', 'account', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('withdrawDomainTransfer', 'account', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  ofDomain('transferDomain', 'whole', [202, 204], { body: ({ guest }) => ({ userId: guest }) }),
  // What is only offered is still the owner's.
  ofDomain('deleteDomain', 'whole', 204),
  one('listTsigKeys', 'any', 200),
  one('createTsigKey', 'any', 201, { body: () => ({}) }),
  one('deleteTsigKey', 'any', 404, { path: ({ nothing }) => ({ id: nothing }) }),
  one('rotateToken', 'any', 201),
  one('revokeOwnToken', 'any', 204),
]
