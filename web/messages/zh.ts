import type { Area, Messages } from './en.ts'
import { common } from './zh/common.ts'
import { problems } from './zh/problems.ts'
import { signIn } from './zh/signIn.ts'

/** What the console says in Chinese, all that it says in English. */
export const zh = {
  access: async () => (await import('./zh/access.ts')).access,
  account: async () => (await import('./zh/account.ts')).account,
  addDomains: async () => (await import('./zh/addDomains.ts')).addDomains,
  audit: async () => (await import('./zh/audit.ts')).audit,
  channels: async () => (await import('./zh/channels.ts')).channels,
  common: () => Promise.resolve(common),
  dashboard: async () => (await import('./zh/dashboard.ts')).dashboard,
  diff: async () => (await import('./zh/diff.ts')).diff,
  domain: async () => (await import('./zh/domain.ts')).domain,
  domainSettings: async () => (await import('./zh/domainSettings.ts')).domainSettings,
  domains: async () => (await import('./zh/domains.ts')).domains,
  history: async () => (await import('./zh/history.ts')).history,
  leaving: async () => (await import('./zh/leaving.ts')).leaving,
  manyDomains: async () => (await import('./zh/manyDomains.ts')).manyDomains,
  notifications: async () => (await import('./zh/notifications.ts')).notifications,
  palette: async () => (await import('./zh/palette.ts')).palette,
  plan: async () => (await import('./zh/plan.ts')).plan,
  problems: () => Promise.resolve(problems),
  providers: async () => (await import('./zh/providers.ts')).providers,
  recordHints: async () => (await import('./zh/recordHints.ts')).recordHints,
  recordTypes: async () => (await import('./zh/recordTypes.ts')).recordTypes,
  records: async () => (await import('./zh/records.ts')).records,
  register: async () => (await import('./zh/register.ts')).register,
  requests: async () => (await import('./zh/requests.ts')).requests,
  search: async () => (await import('./zh/search.ts')).search,
  serviceFields: async () => (await import('./zh/serviceFields.ts')).serviceFields,
  shell: async () => (await import('./zh/shell.ts')).shell,
  signIn: () => Promise.resolve(signIn),
  signInProviders: async () => (await import('./zh/signInProviders.ts')).signInProviders,
  sync: async () => (await import('./zh/sync.ts')).sync,
  templates: async () => (await import('./zh/templates.ts')).templates,
  tokens: async () => (await import('./zh/tokens.ts')).tokens,
  users: async () => (await import('./zh/users.ts')).users,
} satisfies { [A in Area]: () => Promise<Messages[A]> }
