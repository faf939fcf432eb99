import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { notificationsQuery } from '../../api/queries/account.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { readable, visible } from '../visible.ts'
import { Button } from '../page/Button.tsx'
import { cx } from '../classes.ts'
import { useFormats, useLanguage, useMessages } from '../language.tsx'
import { Badge } from '../feedback/Note.tsx'
import { asciiNameOf, subjectOf, wordsOf } from './notification.ts'
import { useReasons } from '../feedback/reasons.ts'
import styles from './NotificationList.module.css'

/** Notifications, each linking to its subject; following the link marks it as read. */
export function NotificationList({ notifications }: { notifications: readonly Schemas['Notification'][] }) {
  return (
    <ul className={styles['list']}>
      {notifications.map((one) => (
        <Entry key={one.id} notification={one} />
      ))}
    </ul>
  )
}

function Entry({ notification }: { notification: Schemas['Notification'] }) {
  const m = useMessages('notifications')
  const language = useLanguage()
  const { ago, day, moment, number } = useFormats()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: notificationsQuery.queryKey })
  const params = { path: { id: notification.id } }
  const read = useMutation({
    mutationFn: () => api.POST('/api/notifications/{id}/read', params),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/notifications/{id}', params),
    onSuccess,
  })
  const say = useReasons('error' in notification.metadata)
  const { title, content } = wordsOf(notification, language, m.notifications, day, say)
  const subject = subjectOf(notification)
  const { read: isRead, createdAt, more } = notification
  return (
    <li className={cx(styles['entry'], isRead && styles['read'])}>
      <div className={styles['title']} title={asciiNameOf(notification)}>
        {subject === null ? (
          visible(readable(title))
        ) : (
          <Link to={subject} onClick={() => !isRead && read.mutate()}>
            {visible(readable(title))}
          </Link>
        )}
        {!isRead && <Badge tone="info">{m.notifications.unread}</Badge>}
      </div>
      <div className={styles['text']}>
        {visible(readable(content))}
        <div className={styles['when']} title={moment(createdAt)}>
          {ago(createdAt)}
          {more !== undefined && more > 0 && ` · ${m.notifications.more(number(more))}`}
        </div>
      </div>
      <div className={styles['buttons']}>
        {!isRead && (
          <Button look="plain" icon="check" iconOnly sends onPress={() => read.mutate()}>
            {m.notifications.markRead}
          </Button>
        )}
        <Button look="plain" icon="close" iconOnly sends onPress={() => remove.mutate()}>
          {m.notifications.delete}
        </Button>
      </div>
    </li>
  )
}
