import type { Schemas } from '../../api/schema.d.ts'
import type { Messages } from '../../messages/en.ts'
import { deviceOf } from '../devices.ts'
import { reasonOf, type KeptFailure } from '../feedback/Failure.tsx'
import type { Say } from '../feedback/reasons.ts'
import type { Language } from '../../messages/texts.ts'

type Notification = Schemas['Notification']

/** Link to the subject of a notification. */
export function subjectOf({ event, metadata }: Notification): string | null {
  const { domainId, changeId } = metadata as { domainId?: string | null; changeId?: string }
  if (event.startsWith('account.')) return '/account/security'
  if (event === 'channel.failed' || event === 'channel.test') {
    return `/channels/${(metadata as { channelId: string }).channelId}`
  }
  if (event === 'assignment.request') return '/requests'
  // The receiver can't see the domain before accepting it.
  if (event.startsWith('domain.transfer_')) return '/domains'
  if (event === 'domain.deleted' || typeof domainId !== 'string') return null
  if (changeId !== undefined) return `/domains/${domainId}/history?change=${changeId}`
  if (event === 'domain.sync_failed' || event === 'domain.drift') return `/domains/${domainId}/sync`
  return `/domains/${domainId}`
}

/** ASCII name of the domain, if people read it differently. */
export function asciiNameOf({ metadata }: Notification): string | undefined {
  const { domainName, unicodeName } = metadata as { domainName?: string | null; unicodeName?: string }
  return unicodeName === undefined || unicodeName === domainName ? undefined : (domainName ?? undefined)
}

/** Chinese texts of events; the service has the English ones. */
const CHINESE: Record<string, string> = {
  'assignment.create': '获得权限',
  'assignment.delete': '权限被收回',
  'assignment.leave': '有人放弃了权限',
  'assignment.restricted': '权限已受限',
  'assignment.request': '新的权限申请',
  'assignment.approve': '权限申请已通过',
  'assignment.reject': '权限申请被拒绝',
  'domain.created': '域名已添加',
  'domain.deleted': '域名已移除',
  'domain.overlapped': '添加了与您的域名重叠的名称',
  'domain.transfer_offered': '域名转移等待接受',
  'domain.transfer_declined': '域名转移被拒绝',
  'domain.transfer_withdrawn': '域名转移已撤回',
  'domain.transfer_expired': '域名转移已过期',
  'domain.transferred': '域名已转移',
  'domain.switched': '域名已更换服务商',
  'domain.expiring': '域名即将到期',
  'domain.expired': '域名已过期',
  'domain.sync_failed': '同步失败',
  'domain.drift': '服务商处的记录有变化',
  'record.created': '记录已创建',
  'record.updated': '记录已修改',
  'record.deleted': '记录已删除',
  'change_request.opened': '有变更等待批准',
  'change_request.approved': '变更申请已批准',
  'change_request.rejected': '变更申请被拒绝',
  'change_request.applied': '变更申请已执行',
  'change_request.failed': '变更申请执行失败',
  'change_request.outdated': '变更申请已过期',
  'change_request.bypassed': '紧急绕过审核的变更',
  'operation.finished': '后台操作已完成',
  'operation.failed': '后台操作失败',
  'account.password_changed': '密码已更改',
  'account.second_factor_changed': '第二步验证已更改',
  'account.identity_changed': '外部身份已更改',
  'account.new_sign_in': '新设备登录',
  'account.locked': '账户因多次失败被限制',
  'account.token_expiring': '令牌即将到期',
  'channel.failed': '通知渠道发送失败',
  'channel.test': '测试消息',
}

/** Title and text of a notification in the user's language. */
export function wordsOf(
  notification: Notification,
  language: Language,
  words: Messages['notifications'],
  day: (iso: string) => string,
  say: Say,
): { title: string; content: string } {
  const { event, metadata } = notification
  const title = (language === 'zh' ? CHINESE[event] : undefined) ?? notification.title
  const said =
    contentOf(notification, words, day) ?? (language === 'zh' ? failureOf(notification, say) : null)
  if (language !== 'zh' || CHINESE[event] === undefined)
    return { title, content: said ?? notification.content }
  const told = metadata as Record<string, string | undefined>
  const { domainName, unicodeName = domainName, username, name, host, unicodeHost = host } = told
  const about = [unicodeHost ?? unicodeName ?? name, username].filter(Boolean).join(' · ')
  return { title, content: said === null ? about : `${about}　${said}` }
}

/** Reason of a failure, if its code is known. */
function failureOf({ metadata }: Notification, say: Say): string | null {
  const { error, ...told } = metadata as Partial<KeptFailure>
  if (error === undefined || !told.errorCode) return null
  const { text, isForeign } = say(reasonOf({ error, ...told }))
  return isForeign ? null : text
}

/** Events for which the console adds a date or device. */
function contentOf(
  { event, metadata }: Notification,
  words: Messages['notifications'],
  day: (iso: string) => string,
): string | null {
  if (event === 'domain.expiring' || event === 'domain.expired') {
    const when = day((metadata as { expiresAt: string }).expiresAt)
    return event === 'domain.expired' ? words.expired(when) : words.expires(when)
  }
  if (event !== 'account.new_sign_in') return null
  const { ip, userAgent } = metadata as { ip: string | null; userAgent: string }
  const device = deviceOf(userAgent)
  return words.signedInFrom(
    ip ?? words.unknownAddress,
    device ? words.device(device.browser, device.system) : words.anotherProgram,
  )
}
