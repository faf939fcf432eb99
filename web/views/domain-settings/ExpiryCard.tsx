import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { daysUntil } from '../../ui/fields/dates/dates.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Switch } from '../../ui/fields/Choice.tsx'
import { DateField } from '../../ui/fields/dates/DateField.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card, Facts } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { RemindersField } from '../../ui/form-parts/RemindersField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

/** Expiry date with its source, and reminders. */
export function ExpiryCard({ domain, mayChange }: { domain: Schemas['Domain']; mayChange: boolean }) {
  const m = useMessages('domainSettings')
  const { moment, ago, day, days } = useFormats()
  const words = m.domainSettings.expiry
  const { expiresAt, expirySource, expiryCheckedAt, registrar, nameServers, eppStatus } = domain
  return (
    <Card title={words.title} {...(mayChange && { actions: <LookUp domainId={domain.id} /> })}>
      <Facts
        facts={[
          [
            words.date,
            expiresAt === null ? words.unknown : m.common.beside(day(expiresAt), days(daysUntil(expiresAt))),
          ],
          [words.source, expirySource === null ? words.unknown : words.sources[expirySource]],
          [
            words.checked,
            expiryCheckedAt === null
              ? m.common.never
              : m.common.beside(moment(expiryCheckedAt), ago(expiryCheckedAt)),
          ],
          [words.registrar, visible(registrar ?? words.unknown)],
          [
            words.nameServers,
            nameServers.length === 0 ? (
              words.unknown
            ) : (
              <span key="servers" className="mono">
                {visible(nameServers.join(' '))}
              </span>
            ),
          ],
          [words.status, <Statuses key="status" statuses={eppStatus} />],
        ]}
      />
      {mayChange && <ExpiryForm key={expiresAt} domain={domain} />}
    </Card>
  )
}

function Statuses({ statuses }: { statuses: readonly string[] }) {
  const { epp, noStatus } = useMessages('domainSettings').domainSettings.expiry
  if (statuses.length === 0) return noStatus
  // RDAP statuses contain spaces; after WHOIS ones a URL may follow (RFC 8056).
  const wordsOf = (status: string) => {
    const code = status
      .split(/\s+http/)[0]
      ?.trim()
      .replaceAll(/\s+(\w)/g, (_, letter: string) => letter.toUpperCase())
    return code === undefined ? undefined : epp[code]
  }
  return (
    <>
      {statuses.map((status) => (
        <div key={status}>
          <code>{visible(status)}</code> {wordsOf(status)}
        </div>
      ))}
    </>
  )
}

/** Asks the registry. */
function LookUp({ domainId }: { domainId: string }) {
  const m = useMessages('domainSettings')
  const { day } = useFormats()
  const words = m.domainSettings.expiry
  const [isPending, setPending] = useState(false)
  const [found, setFound] = useState<Schemas['ExpiryLookup'] | null>(null)
  const [error, setError] = useState<unknown>(null)
  async function look() {
    setPending(true)
    setError(null)
    try {
      setFound(await api.POST('/api/domains/{id}/check-expiry', { path: { id: domainId } }))
      changed('domain', domainId)
    } catch (problem) {
      setError(problem)
    }
    setPending(false)
  }
  return (
    <>
      <Button icon="clock" isPending={isPending} onPress={() => void look()}>
        {words.look}
      </Button>
      {error !== null && <ProblemNote error={error} />}
      {found && (
        <Note tone={found.expiresAt === null ? 'warn' : 'good'} alert>
          {found.expiresAt === null ? words.notFound : words.found(day(found.expiresAt))}
          {found.expiresAt === null && <span lang="en"> {visible(found.error ?? '')}</span>}
        </Note>
      )}
    </>
  )
}

function ExpiryForm({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('domainSettings', 'domains')
  const words = m.domainSettings.expiry
  const [expiresAt, setExpiresAt] = useState(domain.expiresAt)
  const [expiryRemindDays, setDays] = useState(domain.expiryRemindDays)
  const [autoCheckExpiry, setAuto] = useState(domain.autoCheckExpiry)
  async function save() {
    await api.PUT('/api/domains/{id}', {
      path: { id: domain.id },
      // A date that is sent counts as set manually.
      body: { expiryRemindDays, autoCheckExpiry, ...(expiresAt !== domain.expiresAt && { expiresAt }) },
    })
    changed('domain', domain.id)
    toast(m.common.saved)
  }
  return (
    <Form fields={['expiresAt', 'expiryRemindDays', 'autoCheckExpiry']} onSubmit={save}>
      {(isPending) => (
        <>
          <DateField
            optional
            label={words.date}
            name="expiresAt"
            help={words.dateHelp}
            value={expiresAt}
            onChange={setExpiresAt}
          />
          <RemindersField days={expiryRemindDays} onChange={setDays} />
          <Switch isSelected={autoCheckExpiry} onChange={setAuto}>
            {m.domains.lookUp}
          </Switch>
          <FormActions>
            <Button type="submit" look="primary" isPending={isPending}>
              {m.common.save}
            </Button>
          </FormActions>
        </>
      )}
    </Form>
  )
}
