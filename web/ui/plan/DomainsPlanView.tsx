import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { readable, visible } from '../visible.ts'
import { Diff } from './Diff.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { toast } from '../feedback/Toast.tsx'
import { Button } from '../page/Button.tsx'
import { ReviewRequest } from './late-review.ts'
import { wantedOf } from './review.ts'
import { useMessages } from '../language.tsx'
import { Badge, Note, type Tone } from '../feedback/Note.tsx'
import { Bar } from '../page/Page.tsx'
import { Originals, ReasonList, SaidText } from '../feedback/ReasonList.tsx'
import { useReasons, warned } from '../feedback/reasons.ts'
import { ToldProblem } from '../feedback/ToldProblem.tsx'

type Planned = Schemas['PlannedDomain']

const TONES: Record<string, Tone> = { applied: 'good', unchanged: 'plain', pending: 'info' }

/** A plan over many domains: changes, blocked records and results per domain. */
export function DomainsPlanView({ domains }: { domains: readonly Planned[] }) {
  return domains.map((domain) => <OneDomain key={domain.domainId} domain={domain} />)
}

function OneDomain({ domain }: { domain: Planned }) {
  const m = useMessages('manyDomains')
  const words = m.manyDomains
  const { domainId, domainName, counts, changes, blocked, warnings, outcome, changeId, problem } = domain
  const { creates, updates, deletes } = counts
  const rest = creates + updates + deletes - changes.length
  return (
    <section className="stack">
      <Bar>
        <h3>{visible(readable(domainName))}</h3>
        <span className="muted">{words.counts(creates, updates, deletes)}</span>
        {outcome !== null && (
          <Badge tone={TONES[outcome] ?? 'bad'}>{words.outcomes[outcome] ?? outcome}</Badge>
        )}
        {changeId !== null && (
          <Link to="/domains/$id/history" params={{ id: domainId }} search={{ change: changeId }}>
            {words.history}
          </Link>
        )}
      </Bar>
      {/* Blocked records are listed below. */}
      {problem && problem.reason !== 'records_blocked' && (
        <Note tone="bad">
          <ToldProblem problem={problem} />
        </Note>
      )}
      {problem?.code === 'review_required' && rest === 0 && <AskReview domain={domain} />}
      {blocked.length > 0 && <Blocked domain={domain} />}
      {warnings.length > 0 && (
        <Note tone="warn">
          <ReasonList reasons={warnings.map(warned)} />
        </Note>
      )}
      {changes.length > 0 && (
        <Diff
          label={domainName}
          entries={changes.map(({ before, after }, at) => ({ id: String(at), before, after }))}
        />
      )}
      {rest > 0 && <p className="muted">{words.moreChanges(rest)}</p>}
    </section>
  )
}

/** Requests the review that a domain of the plan requires. */
function AskReview({ domain: { domainId, domainName, changes } }: { domain: Planned }) {
  const m = useMessages('manyDomains')
  const [isOpen, setOpen] = useState(false)
  const wanted = wantedOf(changes)
  return (
    <Bar>
      <Button icon="review" onPress={() => setOpen(true)}>
        {m.manyDomains.askReview}
      </Button>
      {isOpen && (
        <Dialog title={visible(readable(domainName))} onClose={() => setOpen(false)}>
          <Suspense fallback={<Loading lines={3} />}>
            <ReviewRequest
              domainId={domainId}
              wanted={[wanted]}
              bypass={async (emergency) => {
                const body = { ...wanted, ...emergency }
                await api.POST('/api/domains/{id}/records/apply', { path: { id: domainId }, body })
                changed('record', domainId)
                toast(m.manyDomains.appliedNow)
                setOpen(false)
              }}
            />
          </Suspense>
        </Dialog>
      )}
    </Bar>
  )
}

/** Blocked records with reasons. */
function Blocked({ domain: { blocked, counts } }: { domain: Planned }) {
  const m = useMessages('manyDomains')
  const say = useReasons()
  const words = m.manyDomains
  const isWhole = counts.creates + counts.updates + counts.deletes === 0
  return (
    <Note tone="bad">
      <strong>{isWhole ? words.blockedWhole : words.blocked(counts.blocked)}</strong>
      <ul>
        {blocked.map(({ before, wanted, code, params, detail }, at) => {
          const one = before ?? wanted
          const said = say({ code, params, text: detail })
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a plan does not change
            <li key={at}>
              {one && (
                <code>
                  {visible(one.name)} {one.recordType} {visible(one.value)}
                </code>
              )}{' '}
              <SaidText said={said} />
            </li>
          )
        })}
      </ul>
      <Originals
        texts={blocked.flatMap(
          ({ code, params, detail }) => say({ code, params, text: detail }).original ?? [],
        )}
      />
    </Note>
  )
}
