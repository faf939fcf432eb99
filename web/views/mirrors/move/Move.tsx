import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { domainQuery } from '../../../api/queries/zones/domains.ts'
import { delegationQuery, mirrorsQuery } from '../../../api/queries/zones/mirrors.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { Loading } from '../../../ui/feedback/Loading.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { useSeesAll } from '../../../ui/hooks/useMayWriteAll.ts'
import { useMessages } from '../../../ui/language.tsx'
import { Icon } from '../../../ui/page/Icon.tsx'
import { LinkButton, useTitle } from '../../../ui/page/Page.tsx'
import { cx } from '../../../ui/classes.ts'
import { DIALOGS, type DialogName } from '../late-dialogs.ts'
import { leftOf, stepOf, STEPS, type Step } from './move-state.ts'
import { MirrorStep, PromoteStep, RemoveStep, WaitStep } from './MoveSteps.tsx'
import { DelegationStep } from './DelegationStep.tsx'
import { useConnectionName } from '../useConnectionName.ts'
import styles from '../Mirrors.module.css'

/** Guides through the move of a domain to another provider; where it stands is read from the service. */
export function Move() {
  const m = useMessages('domain', 'mirrors')
  const words = m.mirrors.move
  const { id } = useParams({ from: '/inside/domains/$id/mirrors/move' })
  const { to, unchecked = false } = useSearch({ from: '/inside/domains/$id/mirrors/move' })
  const navigate = useNavigate({ from: '/domains/$id/mirrors/move' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const seesAll = useSeesAll(domain)
  const { data: list, error, refetch } = useQuery({ ...mirrorsQuery(id), enabled: seesAll === true })
  const mirrors = list?.mirrors ?? []
  /** The one to ask about: the new provider, then the old one. */
  const asked = mirrors.find(({ providerConfigId, state }) =>
    domain.providerConfigId === to ? providerConfigId !== to : providerConfigId === to && state === 'in_step',
  )
  const delegation = useQuery({ ...delegationQuery(id, asked ?? {}), enabled: asked !== undefined })
  const names = useConnectionName()
  const [open, setOpen] = useState<{ dialog: DialogName; mirror: Schemas['Mirror'] } | null>(null)
  useTitle(`${domain.unicodeName} · ${words.title}`)
  if (seesAll === false) return <Note tone="info">{m.mirrors.needsAll}</Note>
  if (error && !list) return <ProblemNote error={error} retry={() => void refetch()} />
  if (!list) return <Loading />

  const mayManage = domain.access === 'owner' || domain.access === 'admin'
  const step = stepOf({
    domain,
    mirrors,
    to,
    delegation: asked ? delegation.data : undefined,
    unchecked,
  })
  const at = step === null ? STEPS.length : STEPS.indexOf(step)
  const mirror = mirrors.find(({ providerConfigId }) => providerConfigId === to)
  const moveTo = (connection: string) => void navigate({ search: { to: connection } })
  const Opened = open && DIALOGS[open.dialog]

  function content(current: Step) {
    const shared = {
      domain,
      onOpen: (dialog: DialogName, of: Schemas['Mirror']) => setOpen({ dialog, mirror: of }),
    }
    if (current === 'mirror') return <MirrorStep {...{ domain, mirrors, to, moveTo }} />
    if (current === 'remove')
      return <RemoveStep {...shared} mirrors={leftOf(mirrors, to)} delegation={delegation.data} />
    if (!mirror) return null
    if (current === 'inStep') return <WaitStep {...shared} mirror={mirror} />
    if (current === 'promote') return <PromoteStep {...shared} mirror={mirror} />
    return (
      <DelegationStep
        mirror={mirror}
        delegation={delegation}
        onUnchecked={() => void navigate({ search: { to, unchecked: true } })}
      />
    )
  }
  return (
    <div className="stack">
      <div className={styles['head']}>
        <h2>{words.title}</h2>
        <LinkButton to="/domains/$id/mirrors" params={{ id }} icon="left">
          {words.back}
        </LinkButton>
      </div>
      <p>{words.about}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!mayManage && <Note tone="info">{m.mirrors.readOnly}</Note>}
      {mayManage && at < STEPS.indexOf('promote') && <Note tone="warn">{words.dnssec}</Note>}
      {step === null && <Note tone="good">{words.whenFinished(names.ofDomain(domain))}</Note>}
      <ol aria-label={words.steps} className={styles['steps']}>
        {STEPS.map((one, nth) => (
          <li
            key={one}
            className={cx(styles['step'], nth < at && styles['done'], nth === at && styles['current'])}
            {...(nth === at && { 'aria-current': 'step' })}
          >
            <div className={styles['name']}>
              <span className={styles['number']} aria-hidden="true">
                {nth < at ? <Icon name="check" size={14} /> : nth + 1}
              </span>
              <h3>
                {words[one]}
                {nth < at && <span className="hidden"> ({words.done})</span>}
              </h3>
            </div>
            {nth === at && mayManage && content(one)}
          </li>
        ))}
      </ol>
      <Suspense>
        {open && Opened && (
          <Opened
            isMoved
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
