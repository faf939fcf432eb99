import { common } from './en/common.ts'
import { problems } from './en/problems.ts'
import { signIn } from './en/signIn.ts'
import type { EVERYWHERE } from './everywhere.ts'

/** English messages: one file per area, loaded with the views that need it; the common ones always. */
export const en = {
  access: async () => (await import('./en/access.ts')).access,
  account: async () => (await import('./en/account.ts')).account,
  addDomains: async () => (await import('./en/addDomains.ts')).addDomains,
  audit: async () => (await import('./en/audit.ts')).audit,
  changeRequests: async () => (await import('./en/changeRequests.ts')).changeRequests,
  channels: async () => (await import('./en/channels.ts')).channels,
  common: () => Promise.resolve(common),
  dashboard: async () => (await import('./en/dashboard.ts')).dashboard,
  diff: async () => (await import('./en/diff.ts')).diff,
  domain: async () => (await import('./en/domain.ts')).domain,
  domainSettings: async () => (await import('./en/domainSettings.ts')).domainSettings,
  domains: async () => (await import('./en/domains.ts')).domains,
  failover: async () => (await import('./en/failover.ts')).failover,
  failoverForm: async () => (await import('./en/failoverForm.ts')).failoverForm,
  health: async () => (await import('./en/health.ts')).health,
  history: async () => (await import('./en/history.ts')).history,
  later: async () => (await import('./en/later.ts')).later,
  leaving: async () => (await import('./en/leaving.ts')).leaving,
  manyDomains: async () => (await import('./en/manyDomains.ts')).manyDomains,
  mirrors: async () => (await import('./en/mirrors.ts')).mirrors,
  notifications: async () => (await import('./en/notifications.ts')).notifications,
  palette: async () => (await import('./en/palette.ts')).palette,
  plan: async () => (await import('./en/plan.ts')).plan,
  problems: () => Promise.resolve(problems),
  providers: async () => (await import('./en/providers.ts')).providers,
  recordHints: async () => (await import('./en/recordHints.ts')).recordHints,
  recordPanel: async () => (await import('./en/recordPanel.ts')).recordPanel,
  recordTypes: async () => (await import('./en/recordTypes.ts')).recordTypes,
  records: async () => (await import('./en/records.ts')).records,
  register: async () => (await import('./en/register.ts')).register,
  requests: async () => (await import('./en/requests.ts')).requests,
  review: async () => (await import('./en/review.ts')).review,
  reviewRequest: async () => (await import('./en/reviewRequest.ts')).reviewRequest,
  search: async () => (await import('./en/search.ts')).search,
  serviceFields: async () => (await import('./en/serviceFields.ts')).serviceFields,
  shell: async () => (await import('./en/shell.ts')).shell,
  signIn: () => Promise.resolve(signIn),
  signInProviders: async () => (await import('./en/signInProviders.ts')).signInProviders,
  sync: async () => (await import('./en/sync.ts')).sync,
  templates: async () => (await import('./en/templates.ts')).templates,
  tokens: async () => (await import('./en/tokens.ts')).tokens,
  users: async () => (await import('./en/users.ts')).users,
  verification: async () => (await import('./en/verification.ts')).verification,
  zoneFiles: async () => (await import('./en/zoneFiles.ts')).zoneFiles,
}

export type Area = keyof typeof en
export type Messages = { [A in Area]: Awaited<ReturnType<(typeof en)[A]>> }
export type TextsOf<A extends Area> = Pick<Messages, A | (typeof EVERYWHERE)[number]>
