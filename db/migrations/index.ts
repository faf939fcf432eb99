import type { Migration } from './migration.ts'
import * as groundFloor from './0001-ground-floor.ts'
import * as identity from './0002-identity.ts'
import * as oauth from './0003-oauth.ts'
import * as livingService from './0004-living-service.ts'
import * as channelTurns from './0005-channel-turns.ts'
import * as unusedSettings from './0006-unused-settings.ts'
import * as zones from './0007-zones.ts'
import * as eventOutbox from './0008-event-outbox.ts'
import * as sharedLimits from './0009-shared-limits.ts'
import * as looksAtProviders from './0010-looks-at-providers.ts'
import * as leases from './0011-leases.ts'
import * as providerBreakers from './0012-provider-breakers.ts'
import * as shares from './0013-shares.ts'
import * as providerTurns from './0014-provider-turns.ts'
import * as auditedAddresses from './0015-audited-addresses.ts'
import * as operations from './0016-operations.ts'
import * as rrsets from './0017-rrsets.ts'
import * as zonesOfOneName from './0018-zones-of-one-name.ts'
import * as unmanagedDomains from './0019-unmanaged-domains.ts'
import * as machineAccounts from './0020-machine-accounts.ts'
import * as tokenRotation from './0021-token-rotation.ts'
import * as acme from './0022-acme.ts'
import * as manyDomains from './0023-many-domains.ts'
import * as recordSearch from './0024-record-search.ts'
import * as chatKinds from './0025-chat-kinds.ts'
import * as keptPlans from './0026-kept-plans.ts'
import * as operationsByToken from './0028-operations-by-token.ts'
import * as addressesByDomain from './0029-addresses-by-domain.ts'
import * as failureCodes from './0030-failure-codes.ts'
import * as zoneSoa from './0032-zone-soa.ts'
import * as orderOfChanges from './0033-order-of-changes.ts'
import * as stampedTurns from './0033-stamped-turns.ts'
import * as origins from './0036-origins.ts'
import * as redirectingTypes from './0037-redirecting-types.ts'
import * as idempotentResults from './0034-idempotent-results.ts'
import * as undoneOperations from './0041-undone-operations.ts'
import * as namesakes from './0042-namesakes.ts'
import * as externalSessions from './0044-external-sessions.ts'
import * as scheduledTasks from './0045-scheduled-tasks.ts'
import * as changeRequests from './0046-change-requests.ts'
import * as verifications from './0048-verifications.ts'
import * as domainHealth from './0049-domain-health.ts'
import * as laterChanges from './0050-later-changes.ts'
import * as drift from './0051-drift.ts'
import * as mirrors from './0052-mirrors.ts'
import * as failover from './0053-failover.ts'
import * as noJobQueue from './0054-no-job-queue.ts'
import * as tsigKeys from './0055-tsig-keys.ts'
import * as archives from './0056-archives.ts'

/** All migrations in order; a static map, so that it doesn't depend on the files in a folder. */
export const migrations: Record<string, Migration> = {
  '0001-ground-floor': groundFloor,
  '0002-identity': identity,
  '0003-oauth': oauth,
  '0004-living-service': livingService,
  '0005-channel-turns': channelTurns,
  '0006-unused-settings': unusedSettings,
  '0007-zones': zones,
  '0008-event-outbox': eventOutbox,
  '0009-shared-limits': sharedLimits,
  '0010-looks-at-providers': looksAtProviders,
  '0011-leases': leases,
  '0012-provider-breakers': providerBreakers,
  '0013-shares': shares,
  '0014-provider-turns': providerTurns,
  '0015-audited-addresses': auditedAddresses,
  '0016-operations': operations,
  '0017-rrsets': rrsets,
  '0018-zones-of-one-name': zonesOfOneName,
  '0019-unmanaged-domains': unmanagedDomains,
  '0020-machine-accounts': machineAccounts,
  '0021-token-rotation': tokenRotation,
  '0022-acme': acme,
  '0023-many-domains': manyDomains,
  '0024-record-search': recordSearch,
  '0025-chat-kinds': chatKinds,
  '0026-kept-plans': keptPlans,
  '0028-operations-by-token': operationsByToken,
  '0029-addresses-by-domain': addressesByDomain,
  '0030-failure-codes': failureCodes,
  '0032-zone-soa': zoneSoa,
  '0033-order-of-changes': orderOfChanges,
  '0033-stamped-turns': stampedTurns,
  '0034-idempotent-results': idempotentResults,
  '0036-origins': origins,
  '0037-redirecting-types': redirectingTypes,
  '0041-undone-operations': undoneOperations,
  '0042-namesakes': namesakes,
  '0044-external-sessions': externalSessions,
  '0045-scheduled-tasks': scheduledTasks,
  '0046-change-requests': changeRequests,
  '0048-verifications': verifications,
  '0049-domain-health': domainHealth,
  '0050-later-changes': laterChanges,
  '0051-drift': drift,
  '0052-mirrors': mirrors,
  '0053-failover': failover,
  '0054-no-job-queue': noJobQueue,
  '0055-tsig-keys': tsigKeys,
  '0056-archives': archives,
}
