import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { showTtl } from '../../zone/ttl.ts'
import { Button } from '../../ui/page/Button.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Fields, Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Card, Facts } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { visible } from '../../ui/visible.ts'

const NUMBERS = ['refresh', 'retry', 'expire', 'minimum', 'ttl'] as const
const keyOf = (domainId: string) => ['domain', domainId, 'soa']

/** SOA of the zone, editable if the provider supports it. */
export function SoaCard({ domainId, mayChange }: { domainId: string; mayChange: boolean }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.soa
  const {
    data: soa,
    error,
    refetch,
  } = useQuery({
    queryKey: keyOf(domainId),
    queryFn: ({ signal }) => api.GET('/api/domains/{id}/soa', { path: { id: domainId }, signal }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  return (
    <Card title={words.title}>
      <p className="muted">{words.about}</p>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!soa && !error && <Loading lines={3} />}
      {soa &&
        (mayChange ? (
          <SoaForm key={soa.serial} domainId={domainId} soa={soa} />
        ) : (
          <Facts
            facts={[
              [
                words.primary,
                <span key="primary" className="mono">
                  {visible(soa.primary)}
                </span>,
              ],
              [words.mail, visible(soa.mail)],
              ...NUMBERS.map(
                (name) => [words[name], `${soa[name]} = ${showTtl(soa[name])}`] as [string, string],
              ),
              [words.serial, String(soa.serial)],
            ]}
          />
        ))}
    </Card>
  )
}

function SoaForm({ domainId, soa }: { domainId: string; soa: Schemas['Soa'] }) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.soa
  const client = useQueryClient()
  const [values, setValues] = useState(soa)
  async function save() {
    const { serial: _serial, ...body } = values
    const now = await api.PUT('/api/domains/{id}/soa', { path: { id: domainId }, body })
    client.setQueryData(keyOf(domainId), now)
    toast(m.common.saved)
  }
  return (
    <Form fields={['primary', 'mail', ...NUMBERS]} onSubmit={save}>
      {(isPending) => (
        <>
          <Fields>
            <TextField
              mono
              label={words.primary}
              name="primary"
              value={values.primary}
              onChange={(primary) => setValues({ ...values, primary })}
            />
            <TextField
              label={words.mail}
              name="mail"
              value={values.mail}
              onChange={(mail) => setValues({ ...values, mail })}
            />
          </Fields>
          <Fields>
            {NUMBERS.map((name) => (
              <NumberField
                key={name}
                label={words[name]}
                {...(values[name] >= 60 && { help: showTtl(values[name]) })}
                name={name}
                value={values[name]}
                minValue={0}
                maxValue={2_147_483_647}
                onChange={(number) => setValues({ ...values, [name]: number })}
              />
            ))}
          </Fields>
          <Facts facts={[[words.serial, String(soa.serial)]]} />
          <FormActions>
            <Button type="submit" look="primary" isPending={isPending}>
              {words.save}
            </Button>
          </FormActions>
        </>
      )}
    </Form>
  )
}
