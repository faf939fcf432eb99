import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changed } from '../../api/live/live.ts'
import { revokeToken, tokensQuery, type Token, type TokenHolder } from '../../api/queries/tokens.ts'
import { Button } from '../page/Button.tsx'
import { Confirm } from '../dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../language.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { Badge, Empty } from '../feedback/Note.tsx'
import { Bar, Copied } from '../page/Page.tsx'
import { ProblemNote } from '../feedback/ProblemNote.tsx'
import { ShownOnce } from '../dialogs/ShownOnce.tsx'
import { Table } from '../page/Table.tsx'
import { toast } from '../feedback/Toast.tsx'
import { visible } from '../visible.ts'
import { RotateDialog } from './RotateDialog.tsx'
import { TokenForm } from './TokenForm.tsx'
import { narrowedBy } from './narrowed.ts'

/** Tokens of a user or machine: create, rotate, revoke. */
export function Tokens({ holder }: { holder: TokenHolder }) {
  const m = useMessages('tokens')
  const formats = useFormats()
  const words = m.tokens
  const { data, error, refetch } = useQuery(tokensQuery(holder))
  const tokens = data?.tokens
  const maxDays = data?.maxDays ?? null
  const [isMaking, setMaking] = useState(false)
  const [rotated, setRotated] = useState<Token | null>(null)
  const [revoked, setRevoked] = useState<Token | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  const show = (token: string) => {
    setMaking(false)
    setRotated(null)
    setShown(token)
    changed('account')
  }
  const createButton = (
    <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
      {words.create}
    </Button>
  )
  return (
    <>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!tokens && !error && <Loading />}
      {tokens?.length === 0 && (
        <Empty icon="key" action={createButton}>
          {words.none}
        </Empty>
      )}
      {tokens && tokens.length > 0 && (
        <>
          <Bar>{createButton}</Bar>
          <Table
            label={words.title}
            rows={tokens}
            idOf={({ id }) => id}
            columns={[
              {
                id: 'name',
                title: words.columns.name,
                head: true,
                cell: ({ name, tokenPrefix, tokenSuffix }) => (
                  <>
                    {visible(name)}
                    <div className="muted mono">{words.shownAs(tokenPrefix, tokenSuffix)}</div>
                  </>
                ),
              },
              {
                id: 'may',
                title: words.columns.may,
                cell: ({ permissions, restrictions }) => (
                  <>
                    {m.common.phrases(permissions.map((one) => words.permissions[one]))}
                    {narrowedBy(words, formats, restrictions).map((text) => (
                      <div key={text} className="muted">
                        {visible(text)}
                      </div>
                    ))}
                  </>
                ),
              },
              { id: 'ends', title: words.columns.ends, tight: true, cell: (token) => <End token={token} /> },
              {
                id: 'used',
                title: words.columns.used,
                tight: true,
                cell: ({ lastUsedAt }) =>
                  lastUsedAt === null ? (
                    <span className="muted">{words.neverUsed}</span>
                  ) : (
                    <span title={formats.utc(lastUsedAt)}>{formats.ago(lastUsedAt)}</span>
                  ),
              },
              {
                id: 'actions',
                title: m.common.actions,
                quiet: true,
                tight: true,
                cell: (token) => (
                  <Bar>
                    {token.replacedBy === null && (
                      <Button
                        look="plain"
                        icon="sync"
                        aria-label={`${words.rotate}${m.common.colon}${token.name}`}
                        onPress={() => setRotated(token)}
                      >
                        {words.rotate}
                      </Button>
                    )}
                    <Button
                      look="plain"
                      icon="trash"
                      aria-label={`${words.revoke}${m.common.colon}${token.name}`}
                      onPress={() => setRevoked(token)}
                    >
                      {words.revoke}
                    </Button>
                  </Bar>
                ),
              },
            ]}
          />
        </>
      )}
      {isMaking && (
        <TokenForm holder={holder} maxDays={maxDays} onMade={show} onClose={() => setMaking(false)} />
      )}
      {rotated && (
        <RotateDialog
          holder={holder}
          token={rotated}
          maxDays={maxDays}
          onMade={show}
          onClose={() => setRotated(null)}
        />
      )}
      {revoked && (
        <Confirm
          title={words.revokeTitle(visible(revoked.name))}
          action={words.revokeSubmit}
          onConfirm={() => revokeToken(holder, revoked.id)}
          onClose={(isDone) => {
            setRevoked(null)
            if (!isDone) return
            changed('account')
            toast(words.revoked)
          }}
        >
          <p>{words.revokeText}</p>
          {isOfChain(tokens, revoked) && <p>{words.revokeChain}</p>}
        </Confirm>
      )}
      {shown !== null && (
        <ShownOnce title={words.shownTitle} about={words.shown} onKept={() => setShown(null)}>
          <Copied label={words.shownLabel} text={shown} />
        </ShownOnce>
      )}
    </>
  )
}

/** Whether it replaced a token or was replaced. */
const isOfChain = (tokens: readonly Token[] = [], { id, replacedBy }: Token) =>
  replacedBy !== null || tokens.some((other) => other.replacedBy === id)

function End({ token: { expiresAt, replacedBy } }: { token: Token }) {
  const { tokens: words } = useMessages('tokens')
  const { day, ago, utc } = useFormats()
  return (
    <>
      {replacedBy !== null && (
        <div>
          <Badge tone="warn">{words.replaced}</Badge>
        </div>
      )}
      {expiresAt === null ? (
        <span className="muted">{words.noEnd}</span>
      ) : (
        <span title={utc(expiresAt)}>
          {ago(expiresAt)}
          <div className="muted">{day(expiresAt)}</div>
        </span>
      )}
    </>
  )
}
