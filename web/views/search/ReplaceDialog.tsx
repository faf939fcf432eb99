import { useState } from 'react'
import { api } from '../../api/client.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { readTtl } from '../../zone/ttl.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Checkbox, Select } from '../../ui/fields/Choice.tsx'
import { ComboBox } from '../../ui/fields/ComboBox.tsx'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { DomainsPlanDialog } from '../../ui/plan/DomainsPlanDialog.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import type { FoundRecord } from './Results.tsx'

const ANY = 'any'
/** Maximum number of records selected one by one. */
const MAX_NAMED = 1000
const isNetwork = (text: string) => /^[\da-f:.]+\/\d{1,3}$/i.test(text)

interface ReplaceProps {
  chosen: readonly FoundRecord[]
  /** The search text; a network is preset as the value to replace. */
  q: string
  onClose: () => void
}

/** Replaces a value or the addresses of a network in selected records or all their domains, after a preview. */
export function ReplaceDialog({ chosen, q, onClose }: ReplaceProps) {
  const m = useMessages('search')
  const words = m.search.form
  const values = [...new Set(chosen.map(({ value }) => value))]
  const types = [...new Set(chosen.map(({ recordType }) => recordType))]
  const domainIds = [...new Set(chosen.map(({ domainId }) => domainId))]
  const [find, setFind] = useState(isNetwork(q) ? q : (values[0] ?? ''))
  const [type, setType] = useState(ANY)
  const [value, setValue] = useState('')
  const [ttlText, setTtlText] = useState('')
  const mayName = chosen.length <= MAX_NAMED
  const [isOnlyChosen, setOnlyChosen] = useState(mayName)
  const [plan, setPlan] = useState<Schemas['DomainsPlan'] | null>(null)
  const ttl = readTtl(ttlText)

  async function look() {
    const wanted = find.trim()
    setPlan(
      await api.POST('/api/records/replace', {
        body: {
          find: {
            ...(isNetwork(wanted) ? { cidr: wanted } : wanted !== '' && { value: wanted }),
            ...(type !== ANY && { type }),
            ...(isOnlyChosen && { recordIds: chosen.map(({ id }) => id) }),
          },
          replaceWith: { ...(value.trim() !== '' && { value: value.trim() }), ...(ttl && { ttl }) },
          scope: { domainIds },
          limit: 50,
        },
      }),
    )
  }
  if (plan)
    return (
      <DomainsPlanDialog
        key={plan.planId}
        title={m.search.planTitle}
        plan={plan}
        apply={(planId) => api.POST('/api/records/replace/apply', { body: { planId } })}
        onAgain={() => setPlan(null)}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form
        fields={[
          'find',
          'find.value',
          'find.cidr',
          'find.type',
          'replaceWith',
          'replaceWith.value',
          'replaceWith.ttl',
        ]}
        onSubmit={look}
      >
        {(isPending) => (
          <>
            <p>{words.about(domainIds.length)}</p>
            <ComboBox
              label={words.find}
              name={isNetwork(find.trim()) ? 'find.cidr' : 'find.value'}
              help={words.findHelp}
              value={find}
              onChange={setFind}
              options={values.map((one) => ({ id: one, text: one }))}
              mono
            />
            <Checkbox isSelected={isOnlyChosen} isDisabled={!mayName} onChange={setOnlyChosen}>
              {words.onlyChosen(chosen.length)}
            </Checkbox>
            {types.length > 1 && (
              <Select
                label={words.type}
                name="find.type"
                value={type}
                onChange={setType}
                options={[{ id: ANY, text: words.any }, ...types.map((one) => ({ id: one, text: one }))]}
              />
            )}
            <TextField
              label={words.value}
              name="replaceWith.value"
              help={words.valueHelp}
              value={value}
              onChange={setValue}
              autoComplete="off"
              isRequired={ttlText.trim() === ''}
              mono
            />
            <TextField
              optional
              label={words.ttl}
              name="replaceWith.ttl"
              help={ttl === null ? words.ttlWrong : words.ttlHelp}
              isInvalid={ttl === null}
              value={ttlText}
              onChange={setTtlText}
              autoComplete="off"
            />
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending} isDisabled={ttl === null}>
                {words.plan}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
