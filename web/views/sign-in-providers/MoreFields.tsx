import type { Schemas } from '../../api/schema.d.ts'
import { Select } from '../../ui/fields/Choice.tsx'
import { TextField } from '../../ui/fields/Field.tsx'
import { Fields } from '../../ui/fields/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import { ADDRESSES, FIELDS, NEEDED, type Address, type Values } from './values.ts'
import styles from './SignInProviders.module.css'

interface MoreProps {
  providerId: Schemas['OAuthProviderId']
  values: Values
  onChange: (change: Partial<Values>) => void
  /** Whether advanced fields are shown. */
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

export function MoreFields({ providerId, values, onChange, isOpen, onOpen }: MoreProps) {
  const { signInProviders: words } = useMessages('signInProviders')
  const needed = NEEDED[providerId] ?? []
  const address = (key: Address) => (
    <TextField
      key={key}
      mono
      optional={!needed.includes(key)}
      label={words.form[key]}
      name={key}
      type="url"
      {...(key === 'wellKnownUrl' && { help: words.form.wellKnownHelp })}
      autoComplete="off"
      value={values.addresses[key]}
      onChange={(text) => onChange({ addresses: { ...values.addresses, [key]: text } })}
    />
  )
  return (
    <>
      {needed.map(address)}
      {providerId === 'custom' && (
        <div role="group" aria-label={words.form.fields} className="stack">
          <h3>{words.form.fields}</h3>
          <p className="muted">{words.form.fieldsHelp}</p>
          <Fields>
            {FIELDS.map((key) => (
              <TextField
                key={key}
                mono
                optional={key !== 'subject'}
                label={words.form.fieldNames[key]}
                name={`fields.${key}`}
                autoComplete="off"
                value={values.fields[key]}
                onChange={(text) => onChange({ fields: { ...values.fields, [key]: text } })}
              />
            ))}
          </Fields>
        </div>
      )}
      <details
        className={styles['more']}
        open={isOpen}
        onToggle={(event) => onOpen(event.currentTarget.open)}
      >
        <summary>{words.form.more}</summary>
        <TextField
          optional
          label={words.form.name}
          name="name"
          help={words.form.nameHelp}
          autoComplete="off"
          value={values.name}
          onChange={(name) => onChange({ name })}
        />
        <TextField
          mono
          optional
          label={words.form.scope}
          name="scope"
          help={words.form.scopeHelp}
          autoComplete="off"
          value={values.scope}
          onChange={(scope) => onChange({ scope })}
        />
        {ADDRESSES.filter((key) => !needed.includes(key)).map(address)}
        <Select
          label={words.form.method}
          name="tokenAuthMethod"
          value={values.tokenAuthMethod}
          onChange={(tokenAuthMethod) => onChange({ tokenAuthMethod })}
          options={(['auto', 'basic', 'post'] as const).map((id) => ({ id, text: words.form.methods[id] }))}
        />
      </details>
    </>
  )
}
