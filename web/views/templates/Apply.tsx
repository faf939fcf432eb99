import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { RadioGroup } from '../../ui/fields/Choice.tsx'
import { DomainsField, type ChosenDomain } from '../../ui/form-parts/DomainsField.tsx'
import { DomainsPlanDialog } from '../../ui/plan/DomainsPlanDialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Card } from '../../ui/page/Page.tsx'
import { PatternHelp } from './PatternHelp.tsx'
import { visible } from '../../ui/visible.ts'

/** Applies a template to domains, after a preview. */
export function Apply({ template }: { template: Schemas['Template'] }) {
  const m = useMessages('templates')
  const words = m.templates.apply
  const { id, variables } = template
  const [domains, setDomains] = useState<ChosenDomain[]>([])
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(variables.map((one) => [one.name, one.default ?? ''])),
  )
  const [mode, setMode] = useState<'add' | 'replaceSets'>('add')
  const [plan, setPlan] = useState<Schemas['DomainsPlan'] | null>(null)
  const params = { path: { id } }

  async function look() {
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '')
    setPlan(
      await api.POST('/api/templates/{id}/plan', {
        ...params,
        body: {
          domainIds: domains.map((one) => one.id),
          variables: Object.fromEntries(given.map(([name, value]) => [name, value.trim()])),
          mode,
          limit: 50,
        },
      }),
    )
  }
  return (
    <Card title={words.title}>
      <Form fields={['domainIds', ...variables.map(({ name }) => `variables.${name}`)]} onSubmit={look}>
        {(isPending) => (
          <>
            <DomainsField
              label={words.domains}
              name="domainIds"
              help={words.domainsHelp}
              chosen={domains}
              onChange={setDomains}
            />
            {variables.map(({ name, label, description, required, pattern }) => (
              <TextField
                key={name}
                label={label}
                name={`variables.${name}`}
                {...(description !== undefined
                  ? { help: visible(description) }
                  : pattern !== undefined && { help: <PatternHelp pattern={pattern} /> })}
                {...(required !== true && { optional: true })}
                value={values[name] ?? ''}
                onChange={(value) => setValues({ ...values, [name]: value })}
                autoComplete="off"
                mono
              />
            ))}
            <RadioGroup
              label={words.mode}
              value={mode}
              onChange={setMode}
              options={[
                { id: 'add', text: words.add, note: words.addNote },
                { id: 'replaceSets', text: words.replaceSets, note: words.replaceSetsNote },
              ]}
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={domains.length === 0}>
                {words.plan}
              </Button>
              {domains.length === 0 && <span className="muted">{words.chooseOne}</span>}
            </FormActions>
          </>
        )}
      </Form>
      {plan && (
        <DomainsPlanDialog
          key={plan.planId}
          title={words.planTitle(template.name)}
          plan={plan}
          apply={(planId) => api.POST('/api/templates/{id}/apply', { ...params, body: { planId } })}
          onAgain={() => setPlan(null)}
          onClose={() => setPlan(null)}
        />
      )}
    </Card>
  )
}
