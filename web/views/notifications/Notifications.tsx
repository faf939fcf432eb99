import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { hasCode } from '../../api/problems.ts'
import { notificationsQuery } from '../../api/queries/account.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { NotificationList } from '../../ui/notifications/NotificationList.tsx'
import { LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'

/** All notifications, newest first. */
export function Notifications() {
  const m = useMessages('notifications', 'shell')
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(notificationsQuery)
  const again = () => queries.invalidateQueries({ queryKey: notificationsQuery.queryKey })
  const readAll = useMutation({
    mutationFn: () => api.POST('/api/notifications/read-all'),
    onSuccess: again,
  })
  const removeAll = useMutation({ mutationFn: () => api.DELETE('/api/notifications'), onSuccess: again })
  const problem = readAll.error ?? removeAll.error
  const isEmpty = data?.notifications.length === 0
  return (
    <Page
      title={m.notifications.title}
      actions={
        data &&
        !isEmpty && (
          <>
            <Button sends isDisabled={data.unreadCount === 0} onPress={() => readAll.mutate()}>
              {m.notifications.markAll}
            </Button>
            <Button sends onPress={() => removeAll.mutate()}>
              {m.notifications.deleteAll}
            </Button>
          </>
        )
      }
    >
      {problem && <ProblemNote error={problem} />}
      {error &&
        (hasCode(error, 'forbidden') ? (
          <Note tone="info" actions={<LinkButton to="/account/profile">{m.shell.account}</LinkButton>}>
            {m.notifications.off}
          </Note>
        ) : (
          <ProblemNote error={error} retry={() => void refetch()} />
        ))}
      {!data && !error && <Loading />}
      {isEmpty && <Empty icon="bell">{m.notifications.none}</Empty>}
      {data && <NotificationList notifications={data.notifications} />}
    </Page>
  )
}
