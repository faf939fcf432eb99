import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { recordTypesQuery } from '../../api/queries/zones/domains.ts'
import { createToken, type TokenHolder } from '../../api/queries/tokens.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../page/Button.tsx'
import { DateField } from '../fields/dates/DateField.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'
import { DomainsField, type ChosenDomain } from '../form-parts/DomainsField.tsx'
import { TextField } from '../fields/Field.tsx'
import { Form, FormActions } from '../fields/Form.tsx'
import { useMessages } from '../language.tsx'
import { Note } from '../feedback/Note.tsx'
import { TagsField } from '../fields/TagsField.tsx'
import { PermissionFields } from './PermissionFields.tsx'

interface TokenFormProps {
  holder: TokenHolder
  /** Maximum lifetime in days; null: no limit. */
  maxDays: number | null
  /** Called with the token, which is shown only once. */
  onMade: (token: string) => void
  onClose: () => void
}

const FIELDS = [
  'name',
  'permissions',
  'expiresAt',
  'restrictions.domainIds',
  'restrictions.namePatterns',
  'restrictions.recordTypes',
  'restrictions.ipRanges',
]

export function TokenForm({ holder, maxDays, onMade, onClose }: TokenFormProps) {
  const m = useMessages('tokens')
  const words = m.tokens.form
  const { data: types = [] } = useQuery(recordTypesQuery)
  const [name, setName] = useState('')
  const [permissions, setPermissions] = useState<Schemas['TokenPermission'][]>([])
  const [domains, setDomains] = useState<ChosenDomain[]>([])
  const [names, setNames] = useState<string[]>([])
  const [recordTypes, setRecordTypes] = useState<string[]>([])
  const [addresses, setAddresses] = useState<string[]>([])
  const [expiresAt, setEnd] = useState<string | null>(null)
  const [isMissing, setMissing] = useState(false)
  const restrictions = {
    ...(domains.length > 0 && { domainIds: domains.map(({ id }) => id) }),
    ...(names.length > 0 && { namePatterns: names }),
    ...(recordTypes.length > 0 && { recordTypes }),
    ...(addresses.length > 0 && { ipRanges: addresses }),
  }
  async function submit() {
    setMissing(permissions.length === 0)
    if (permissions.length === 0) return
    const isNarrowed = Object.keys(restrictions).length > 0
    const wanted = {
      name,
      permissions,
      restrictions: isNarrowed ? restrictions : null,
      // An empty date means the maximum lifetime, if there is one.
      ...((expiresAt !== null || maxDays === null) && { expiresAt }),
    }
    onMade(await createToken(holder, wanted))
  }
  return (
    <Dialog wide title={m.tokens.create} onClose={onClose}>
      <Form fields={FIELDS} onSubmit={submit}>
        {(isPending) => (
          <>
            <TextField
              label={words.name}
              name="name"
              help={words.nameHelp}
              autoFocus
              autoComplete="off"
              value={name}
              onChange={setName}
            />
            <PermissionFields chosen={permissions} onChange={setPermissions} />
            <DateField
              optional
              label={words.ends}
              help={maxDays === null ? words.endsHelp : words.endsWithin(maxDays)}
              name="expiresAt"
              value={expiresAt}
              onChange={setEnd}
            />
            <h3>{words.narrow}</h3>
            <p className="muted">{words.narrowHelp}</p>
            <DomainsField
              optional
              label={words.domains}
              name="restrictions.domainIds"
              chosen={domains}
              onChange={setDomains}
            />
            <TagsField
              label={words.names}
              name="restrictions.namePatterns"
              help={words.namesHelp}
              values={names}
              onChange={setNames}
            />
            <TagsField
              label={words.types}
              name="restrictions.recordTypes"
              help={words.typesHelp}
              known={types.map(({ type }) => type)}
              read={(text) => types.find(({ type }) => type === text.toUpperCase())?.type ?? null}
              values={recordTypes}
              onChange={setRecordTypes}
            />
            <TagsField
              label={words.addresses}
              name="restrictions.ipRanges"
              help={words.addressesHelp}
              values={addresses}
              onChange={setAddresses}
            />
            {isMissing && permissions.length === 0 && (
              <Note tone="bad" alert>
                {words.needPermission}
              </Note>
            )}
            <FormActions>
              <Button type="submit" look="primary" isPending={isPending}>
                {words.submit}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}
