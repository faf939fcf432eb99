import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { withFreshSignIn } from '../../api/session/fresh-sign-in.ts'
import { changed } from '../../api/live/live.ts'
import { passkeysQuery } from '../../api/queries/account.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar, Card } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import { AddPasskey, canMakePasskeys, RenamePasskey } from './PasskeyDialogs.tsx'
import type { FactorProps } from './second-factor/factor.ts'

type Passkey = Schemas['Passkey']

export function Passkeys({ onChanged }: Pick<FactorProps, 'onChanged'>) {
  const m = useMessages('account')
  const words = m.account.security
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const remove = (id: string) =>
    withFreshSignIn((body) => api.DELETE('/api/2fa/passkeys/{id}', { path: { id }, body }))
  return (
    <Card title={words.passkeys}>
      <p>{words.passkeysText}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!passkeys && !error && <Loading lines={2} />}
      {passkeys?.length === 0 && <p className="muted">{words.noPasskeys}</p>}
      {passkeys && passkeys.length > 0 && (
        <PasskeyTable passkeys={passkeys} onRename={setRenamed} onRemove={setRemoved} />
      )}
      {canMakePasskeys() ? (
        <Bar>
          <Button icon="plus" onPress={() => setAdding(true)}>
            {words.addPasskey}
          </Button>
        </Bar>
      ) : (
        <p className="muted">{words.passkeysOff}</p>
      )}
      {isAdding && (
        <AddPasskey
          onAdded={(codes) => {
            setAdding(false)
            onChanged(codes)
            if (codes.length === 0) toast(words.passkeyAdded)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {renamed && <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} />}
      {removed && (
        <Confirm
          title={words.removeTitle(visible(removed.name))}
          action={words.removeSubmit}
          onConfirm={() => remove(removed.id)}
          onClose={(isDone) => {
            setRemoved(null)
            if (!isDone) return
            changed('account')
            toast(words.passkeyRemoved)
          }}
        >
          <p>{words.removeText}</p>
        </Confirm>
      )}
    </Card>
  )
}

interface PasskeyTableProps {
  passkeys: readonly Passkey[]
  onRename: (passkey: Passkey) => void
  onRemove: (passkey: Passkey) => void
}

function PasskeyTable({ passkeys, onRename, onRemove }: PasskeyTableProps) {
  const m = useMessages('account')
  const { ago, day, utc } = useFormats()
  const words = m.account.security
  return (
    <Table
      label={words.passkeys}
      rows={passkeys}
      idOf={({ id }) => id}
      columns={[
        {
          id: 'name',
          title: words.columns.name,
          head: true,
          cell: ({ name, backedUp }) => (
            <Bar>
              <span>{visible(name)}</span>
              {backedUp && <Badge>{words.backedUp}</Badge>}
            </Bar>
          ),
        },
        {
          id: 'created',
          title: words.columns.created,
          tight: true,
          cell: ({ createdAt }) => <span title={utc(createdAt)}>{day(createdAt)}</span>,
        },
        {
          id: 'used',
          title: words.columns.used,
          tight: true,
          cell: ({ lastUsedAt }) =>
            lastUsedAt === null ? (
              <span className="muted">{words.neverUsed}</span>
            ) : (
              <span title={utc(lastUsedAt)}>{ago(lastUsedAt)}</span>
            ),
        },
        {
          id: 'actions',
          title: m.common.actions,
          quiet: true,
          tight: true,
          cell: (passkey) => (
            <Bar>
              <Button
                look="plain"
                icon="edit"
                aria-label={`${words.rename}${m.common.colon}${passkey.name}`}
                onPress={() => onRename(passkey)}
              >
                {words.rename}
              </Button>
              <Button
                look="plain"
                icon="trash"
                aria-label={m.common.removeOf(passkey.name)}
                onPress={() => onRemove(passkey)}
              >
                {m.common.remove}
              </Button>
            </Bar>
          ),
        },
      ]}
    />
  )
}
