import { useState } from 'react'
import { readTtl } from '../../dns/ttl.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Form, FormActions } from '../../ui/Form.tsx'
import { useMessages } from '../../ui/language.tsx'
import type { Row } from './model.ts'
import type { Staged } from './staged.ts'

/** What is asked before it is done with all chosen records. */
export type Asked = 'ttl' | 'replace' | 'duplicate'

interface DialogProps {
  rows: readonly Row[]
  staged: Staged
  onClose: () => void
}

/** Asks what to do with the chosen records, and stages it. */
export function ChosenDialog({ what, ...rest }: DialogProps & { what: Asked }) {
  const Asking = DIALOGS[what]
  return <Asking {...rest} />
}

function TtlDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [text, setText] = useState('1h')
  const ttl = readTtl(text)
  return (
    <Dialog title={m.records.setTtl} onClose={onClose}>
      <Form
        fields={['ttl']}
        onSubmit={async () => {
          if (ttl === null) return
          staged.change(rows.map(({ id, record }) => ({ id, record, fields: { ttl } })))
          onClose()
        }}
      >
        {() => (
          <>
            <TextField
              label={m.records.ttl}
              help={ttl === null ? m.records.panel.ttlWrong : m.records.panel.ttlHelp}
              isInvalid={ttl === null}
              autoFocus
              value={text}
              onChange={setText}
            />
            <FormActions>
              <Button type="submit" look="primary">
                {m.records.panel.stage}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function ReplaceDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [find, setFind] = useState('')
  const [replacement, setReplacement] = useState('')
  const concerned = find === '' ? [] : rows.filter(({ now }) => now.value.includes(find))
  return (
    <Dialog title={m.records.replaceInValues} onClose={onClose}>
      <Form
        fields={[]}
        onSubmit={async () => {
          staged.change(
            concerned.map(({ id, record, now }) => ({
              id,
              record,
              fields: { value: now.value.replaceAll(find, replacement) },
            })),
          )
          onClose()
        }}
      >
        {() => (
          <>
            <TextField label={m.records.find} mono autoFocus value={find} onChange={setFind} />
            <TextField
              label={m.records.replaceWith}
              optional
              mono
              value={replacement}
              onChange={setReplacement}
            />
            <p role="status">{m.records.preview(concerned.length)}</p>
            <FormActions>
              <Button type="submit" look="primary" isDisabled={concerned.length === 0}>
                {m.records.panel.stage}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function DuplicateDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [name, setName] = useState('')
  return (
    <Dialog title={m.records.duplicateAs} onClose={onClose}>
      <Form
        fields={[]}
        onSubmit={async () => {
          staged.create(rows.map(({ now }) => ({ ...now, name: name.trim() || '@' })))
          onClose()
        }}
      >
        {() => (
          <>
            <TextField
              label={m.records.name}
              help={m.records.panel.nameHelp}
              mono
              autoFocus
              autoComplete="off"
              value={name}
              onChange={setName}
            />
            <p role="status">{m.records.staging.created(rows.length)}</p>
            <FormActions>
              <Button type="submit" look="primary" isDisabled={name.trim() === ''}>
                {m.records.panel.stage}
              </Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

const DIALOGS = { ttl: TtlDialog, replace: ReplaceDialog, duplicate: DuplicateDialog }
