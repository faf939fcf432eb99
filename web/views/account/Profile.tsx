import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { meQuery } from '../../api/queries/account.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card, useTitle } from '../../ui/page/Page.tsx'
import { SaidText } from '../../ui/feedback/ReasonList.tsx'
import { useReasons, warned, type ToldReason } from '../../ui/feedback/reasons.ts'
import { toast } from '../../ui/feedback/Toast.tsx'
import { EmailCard } from './EmailCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'

export function Profile() {
  const m = useMessages('account')
  useTitle(m.account.profile.title)
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <>
      <Names me={me} />
      <EmailCard me={me} />
      <PasswordCard me={me} />
    </>
  )
}

function Names({ me }: { me: Schemas['CurrentUser'] }) {
  const m = useMessages('account')
  const words = m.account.profile
  const [displayName, setDisplayName] = useState(me.displayName ?? '')
  const [nickname, setNickname] = useState(me.nickname ?? '')
  const [avatarUrl, setAvatarUrl] = useState(me.avatarUrl ?? '')
  const [notificationsEnabled, setNotifications] = useState(me.notificationsEnabled)
  const [emailNotificationsEnabled, setMail] = useState(me.emailNotificationsEnabled)
  const [warnings, setWarnings] = useState<readonly ToldReason[]>([])
  const say = useReasons(warnings.length > 0)
  async function submit() {
    const body = {
      displayName: displayName.trim() || null,
      nickname: nickname.trim() || null,
      avatarUrl: avatarUrl.trim() || null,
      notificationsEnabled,
      emailNotificationsEnabled,
    }
    const answer = await api.PUT('/api/auth/me/profile', { body })
    setWarnings(answer.warnings.map(warned))
    changed('account')
    toast(m.common.saved)
  }
  return (
    <Card title={words.title}>
      <Form fields={['displayName', 'nickname', 'avatarUrl']} onSubmit={submit}>
        {(isPending) => (
          <>
            <Fields>
              <TextField isReadOnly label={words.username} value={me.username} autoComplete="username" />
              <TextField
                optional
                label={words.displayName}
                name="displayName"
                help={words.displayNameHelp}
                autoComplete="name"
                value={displayName}
                onChange={setDisplayName}
              />
              <TextField
                optional
                label={words.nickname}
                name="nickname"
                autoComplete="nickname"
                value={nickname}
                onChange={setNickname}
              />
              <TextField
                optional
                label={words.avatarUrl}
                name="avatarUrl"
                type="url"
                help={words.avatarHelp}
                autoComplete="photo"
                value={avatarUrl}
                onChange={setAvatarUrl}
              />
            </Fields>
            <div role="group" aria-label={words.notifications}>
              <Switch isSelected={notificationsEnabled} onChange={setNotifications}>
                {words.inApp}
              </Switch>
              <Switch isSelected={emailNotificationsEnabled} onChange={setMail}>
                {words.byMail}
              </Switch>
            </div>
            {warnings.map((warning) => (
              <Note key={warning.code} tone="warn" alert>
                <SaidText said={say(warning)} />
              </Note>
            ))}
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {m.common.save}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Card>
  )
}
