import type { Schemas } from '../../api/schema.d.ts'
import type { Messages } from '../../messages/en.ts'
import { deviceOf } from '../devices.ts'
import { reasonOf, type KeptFailure } from '../feedback/Failure.tsx'
import type { Say } from '../feedback/reasons.ts'
import type { Language } from '../../messages/texts.ts'

type Notification = Schemas['Notification']

/** Link to the subject of a notification. */
export function subjectOf({ event, metadata }: Notification): string | null {
  const { domainId, changeId, changeRequestId } = metadata as {
    domainId?: string | null
    changeId?: string
    changeRequestId?: string
  }
  if (event.startsWith('account.')) return '/account/security'
  if (event === 'channel.failed' || event === 'channel.test') {
    return `/channels/${(metadata as { channelId: string }).channelId}`
  }
  if (changeRequestId !== undefined) return `/change-requests/${changeRequestId}`
  if (event === 'assignment.request') return '/requests'
  // The receiver can't see the domain before accepting it.
  if (event.startsWith('domain.transfer_')) return '/domains'
  if (event === 'domain.deleted' || typeof domainId !== 'string') return null
  if (changeId !== undefined) return `/domains/${domainId}/history?change=${changeId}`
  if (event === 'domain.sync_failed' || event === 'domain.drift' || event === 'domain.drift_enforced')
    return `/domains/${domainId}/sync`
  return `/domains/${domainId}`
}

/** ASCII name of the domain, if people read it differently. */
export function asciiNameOf({ metadata }: Notification): string | undefined {
  const { domainName, unicodeName } = metadata as { domainName?: string | null; unicodeName?: string }
  return unicodeName === undefined || unicodeName === domainName ? undefined : (domainName ?? undefined)
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
  const title = words.titles[event] ?? notification.title
  const said =
    contentOf(notification, words, day) ?? (language === 'zh' ? failureOf(notification, say) : null)
  if (language !== 'zh' || words.titles[event] === undefined)
    return { title, content: said ?? notification.content }
  const told = metadata as Record<string, string | undefined>
  const { domainName, unicodeName = domainName, username, name, host, unicodeHost = host } = told
  // A change request has a title and an author.
  const { title: requested, author } = told
  const about = [requested, unicodeHost ?? unicodeName ?? name, username ?? author]
    .filter(Boolean)
    .join(' · ')
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
