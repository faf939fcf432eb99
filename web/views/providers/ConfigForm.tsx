import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Marked } from '../../ui/page/Marked.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { Card, LinkButton } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { schemaFieldsOf, sentValues, startValues } from '../../ui/form-parts/schema-fields.ts'
import { SchemaFields } from '../../ui/form-parts/SchemaFields.tsx'
import { TagsField } from '../../ui/fields/TagsField.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useLeaveGuard } from '../../ui/dialogs/useLeaveGuard.tsx'
import { visible } from '../../ui/visible.ts'
import type { ProviderKind } from './Capabilities.tsx'

type ConnectionTest = Schemas['ProviderConfigTest']

interface FormProps {
  kind: ProviderKind
  /** Null: a new connection. */
  config: Schemas['ProviderConfig'] | null
}

/**
 * A provider connection, tested on saving. A new one that fails is stored only on request; an existing one is stored
 * first, as only the service has its secrets.
 */
export function ConfigForm({ kind, config }: FormProps) {
  const m = useMessages('providers', 'serviceFields')
  const words = m.providers.form
  const ownRights = m.serviceFields.table.rights[kind.key]
  const navigate = useNavigate()
  const fields = schemaFieldsOf(kind.credentialSchema)
  const stored = config?.credentials ?? null
  const [name, setName] = useState(config?.name ?? kind.name)
  const [values, setValues] = useState(() => startValues(fields, stored))
  const [nameServers, setNameServers] = useState(config?.nameServers ?? [])
  const [hostmaster, setHostmaster] = useState(config?.hostmaster ?? '')
  const [verifyServers, setVerifyServers] = useState(config?.verifyServers ?? [])
  /** Secrets to remove. */
  const [forgotten, setForgotten] = useState<ReadonlySet<string>>(new Set())
  const typed = { name, values, nameServers, hostmaster, verifyServers, forgotten: [...forgotten] }
  const { question, saved } = useLeaveGuard(typed)
  const [test, setTest] = useState<ConnectionTest | null>(null)
  const [isForced, setForced] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const hasZoneFields = kind.capabilities.zoneNameServers || nameServers.length > 0 || hostmaster !== ''
  const isRemote = kind.capabilities.truth === 'provider'
  const body = () => ({
    name,
    // Matches the schema of its kind.
    credentials: sentValues(fields, values, stored, forgotten) as Record<string, string>,
    ...(isRemote && { verifyServers }),
    ...(hasZoneFields && { nameServers, hostmaster: hostmaster.trim() || null }),
  })

  async function create() {
    setTest(null)
    const wanted = { ...body(), providerId: kind.id }
    if (!isForced) {
      const tried = await api.POST('/api/provider-configs/test', { body: wanted })
      if (!tried.success) {
        setTest(tried)
        return
      }
    }
    const made = await api.POST('/api/provider-configs', { body: wanted })
    saved()
    changed('provider')
    toast(isForced ? words.savedUntested : words.saved)
    await navigate({ to: '/providers/$id', params: { id: made.id }, search: {}, replace: true })
  }
  async function update(id: string) {
    setTest(null)
    const params = { path: { id } }
    const { credentials } = await api.PUT('/api/provider-configs/{id}', { ...params, body: body() })
    const kept = startValues(fields, credentials)
    saved({ ...typed, values: kept, forgotten: [] })
    setValues(kept)
    setForgotten(new Set())
    await tryStored(id)
  }
  async function tryStored(id: string) {
    setTest(null)
    setProblem(null)
    const tried = await api.POST('/api/provider-configs/{id}/test', { path: { id } })
    changed('provider')
    setTest(tried)
  }
  return (
    <Card title={words.title}>
      <Form
        fields={[
          'name',
          'nameServers',
          'hostmaster',
          'verifyServers',
          ...fields.map((field) => `credentials.${field.name}`),
        ]}
        onSubmit={() => (config ? update(config.id) : create())}
      >
        {(isPending) => (
          <>
            <TextField
              label={words.name}
              name="name"
              help={words.nameHelp}
              value={name}
              onChange={setName}
              autoComplete="off"
            />
            {fields.length === 0 && <p>{words.noCredentials}</p>}
            <SchemaFields
              fields={fields}
              owner={kind.key}
              prefix="credentials"
              values={values}
              onChange={setValues}
              stored={stored}
              forgotten={forgotten}
              onForget={setForgotten}
            />
            {kind.rights !== '' && (
              <Note tone="info">
                <strong>
                  {words.rights}
                  {m.common.colon}
                </strong>
                {ownRights !== undefined ? (
                  <Marked text={ownRights} />
                ) : (
                  <span lang="en">
                    <Marked text={kind.rights} />
                  </span>
                )}
              </Note>
            )}
            {hasZoneFields && (
              <>
                <TagsField
                  label={words.nameServers}
                  name="nameServers"
                  help={words.nameServersHelp}
                  values={nameServers}
                  onChange={setNameServers}
                />
                <TextField
                  optional
                  label={words.hostmaster}
                  name="hostmaster"
                  help={words.hostmasterHelp}
                  value={hostmaster}
                  onChange={setHostmaster}
                  autoComplete="off"
                />
              </>
            )}
            {isRemote && (
              <TagsField
                label={words.verifyServers}
                name="verifyServers"
                help={words.verifyServersHelp}
                values={verifyServers}
                onChange={setVerifyServers}
              />
            )}
            {problem !== null && <ProblemNote error={problem} />}
            {test && <TestNote test={test} isStored={config !== null} />}
            {!config && test?.success === false && (
              <Checkbox isSelected={isForced} onChange={setForced}>
                {words.saveAnyway}
              </Checkbox>
            )}
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {fields.length === 0 ? m.common.save : words.save}
              </Button>
              {config && fields.length > 0 && (
                <Button isDisabled={isPending} onPress={() => void tryStored(config.id).catch(setProblem)}>
                  {words.testOnly}
                </Button>
              )}
              {!config && <LinkButton to="/providers">{m.common.cancel}</LinkButton>}
            </FormActions>
            {question}
          </>
        )}
      </Form>
    </Card>
  )
}

/** Result of the test, with what to check. */
function TestNote({ test: { success, code, error }, isStored }: { test: ConnectionTest; isStored: boolean }) {
  const m = useMessages('providers')
  const words = m.providers
  if (success)
    return (
      <Note tone="good" alert>
        {isStored ? words.form.works : words.form.saved}
      </Note>
    )
  const advice =
    code === 'provider_auth_failed'
      ? words.advice.auth
      : code === 'provider_timeout' || code === 'unavailable' || code === 'provider_error'
        ? words.advice.reach
        : words.advice.other
  return (
    <Note tone="bad" alert>
      <strong>{isStored ? words.form.failedSaved : words.form.failed}</strong>{' '}
      {code !== null && m.problems.byCode[code]}
      {error !== null && (
        <p lang="en">
          <code>{visible(error)}</code>
        </p>
      )}
      <p>{advice}</p>
    </Note>
  )
}
