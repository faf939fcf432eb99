import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { ConsoleApi, Schemas } from '../../api/schema.d.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { Icon } from '../../ui/page/Icon.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Badge, Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Facts } from '../../ui/page/Page.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { Addresses } from './Addresses.tsx'
import styles from './SignInProviders.module.css'

type Report = ConsoleApi['/api/oauth/providers/{id}/test']['POST']['answer']

interface CardProps {
  config: Schemas['OAuthProviderConfig']
  name: string
  onEdit: () => void
}

/** A configured identity provider. */
export function ProviderCard({ config, name, onEdit }: CardProps) {
  const m = useMessages('signInProviders')
  const words = m.signInProviders
  const [report, setReport] = useState<Report | null>(null)
  const [isAsking, setAsking] = useState(false)
  const path = { id: config.id }
  const test = async () => {
    setReport(null)
    setReport(await api.POST('/api/oauth/providers/{id}/test', { path }))
  }
  // The dialog named the number of linked users, so this is confirmed.
  const remove = () =>
    api.DELETE('/api/oauth/providers/{id}', { path, headers: { 'x-confirm-delete': 'true' } })
  return (
    <Card
      title={visible(name)}
      actions={
        <Bar>
          <Badge tone={config.enabled ? 'good' : 'plain'}>{config.enabled ? words.on : words.off}</Badge>
          <Badge>{words.bound(config.boundUsers)}</Badge>
        </Bar>
      }
    >
      <Facts
        facts={[
          [words.clientId, <code key="id">{config.clientIdMasked}</code>],
          [words.scope, <code key="scope">{visible(config.scope)}</code>],
        ]}
      />
      <Addresses homepageUrl={config.homepageUrl} redirectUrl={config.redirectUrl} />
      {report && <Checks report={report} />}
      <Bar>
        <ActionButton icon="check" onAct={test} aria-label={`${words.test}${m.common.colon}${name}`}>
          {words.test}
        </ActionButton>
        <Button icon="edit" onPress={onEdit} aria-label={`${m.common.edit}${m.common.colon}${name}`}>
          {m.common.edit}
        </Button>
        <Button
          icon="trash"
          onPress={() => setAsking(true)}
          aria-label={`${words.delete}${m.common.colon}${name}`}
        >
          {words.delete}
        </Button>
      </Bar>
      {isAsking && (
        <Confirm
          title={words.deleteTitle(visible(name))}
          action={words.deleteSubmit}
          onConfirm={remove}
          onClose={(isDone) => {
            setAsking(false)
            if (!isDone) return
            changed('sign-in-provider')
            toast(words.deleted)
          }}
        >
          <p>{words.deleteText}</p>
          {config.boundUsers > 0 && <Note tone="warn">{words.deleteBound(config.boundUsers)}</Note>}
        </Confirm>
      )}
    </Card>
  )
}

/** Test results with the service's messages. */
function Checks({ report: { success, checks } }: { report: Report }) {
  const m = useMessages('signInProviders')
  const words = m.signInProviders
  return (
    <Note tone={success ? 'good' : 'bad'} alert>
      {success ? words.works : words.fails}
      <ul className={styles['checks']}>
        {checks.map(({ name, ok, detail }) => (
          <li key={name}>
            <Icon name={ok ? 'check' : 'close'} size={16} />
            <span>
              <strong>{words.checks[name]}</strong>
              {m.common.colon}
              {ok ? words.passed : words.failed}
              <br />
              <span lang="en">{visible(detail)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Note>
  )
}
