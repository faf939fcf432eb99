import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { mirrorsQuery } from '../../api/queries/zones/mirrors.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { useMayWriteAll, useSeesAll } from '../../ui/hooks/useMayWriteAll.ts'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar, LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { AddMirror } from './AddMirror.tsx'
import { DIALOGS, type DialogName } from './late-dialogs.ts'
import { MirrorCard } from './MirrorCard.tsx'
import { useConnectionName } from './useConnectionName.ts'
import styles from './Mirrors.module.css'

/** The zones of a domain at other providers, and what can be done with them. */
export function Mirrors() {
  const m = useMessages('domain', 'mirrors')
  const words = m.mirrors
  const { id } = useParams({ from: '/inside/domains/$id/mirrors' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const seesAll = useSeesAll(domain)
  const { data: list, error, refetch } = useQuery({ ...mirrorsQuery(id), enabled: seesAll === true })
  const mayWrite = useMayWriteAll(domain)
  const names = useConnectionName()
  const [isAdding, setAdding] = useState(false)
  const [open, setOpen] = useState<{ dialog: DialogName; mirror: Schemas['Mirror'] } | null>(null)
  useTitle(`${domain.unicodeName} · ${m.domain.mirrors}`)
  if (seesAll === false) return <Note tone="info">{words.needsAll}</Note>
  if (error && !list) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!list) return <Loading />
  const { mirrors } = list
  const mayManage = domain.access === 'owner' || domain.access === 'admin'
  const add = (
    <Button icon="plus" onPress={() => setAdding(true)}>
      {words.add}
    </Button>
  )
  const Opened = open && DIALOGS[open.dialog]
  return (
    <div className="stack">
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      <div className={styles['head']}>
        <p>{words.about(names.ofDomain(domain))}</p>
        {mayManage && (
          <Bar>
            {mirrors.length > 0 && add}
            <LinkButton to="/domains/$id/mirrors/move" params={{ id }} icon="swap">
              {words.move.title}
            </LinkButton>
          </Bar>
        )}
      </div>
      {!mayManage && <Note tone="info">{words.readOnly}</Note>}
      {mirrors.length === 0 && (
        <Empty icon="server" action={mayManage ? add : null}>
          {words.none}
        </Empty>
      )}
      {mirrors.map((mirror) => (
        <MirrorCard
          key={mirror.id}
          {...{ mirror, mayWrite, mayManage }}
          name={names.ofMirror(mirror)}
          onOpen={(dialog) => setOpen({ dialog, mirror })}
        />
      ))}
      {isAdding && (
        <Dialog title={words.addTitle} onClose={() => setAdding(false)}>
          <p>{words.addAbout}</p>
          <AddMirror
            {...{ domain, mirrors }}
            onAdded={() => setAdding(false)}
            onCancel={() => setAdding(false)}
          />
        </Dialog>
      )}
      <Suspense>
        {open && Opened && (
          <Opened
            domain={domain}
            mirror={open.mirror}
            name={names.ofMirror(open.mirror)}
            onClose={() => setOpen(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
