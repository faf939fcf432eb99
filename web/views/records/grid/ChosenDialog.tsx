import { useState, type ReactNode } from 'react'
import { readTtl } from '../../../zone/ttl.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { Form, FormActions } from '../../../ui/fields/Form.tsx'
import { useMessages } from '../../../ui/language.tsx'
import type { EditorRow } from '../model.ts'
import type { Staged } from '../review/staged.ts'

/** Bulk action that needs input. */
export type Asked = 'ttl' | 'replace' | 'duplicate'

interface DialogProps {
  rows: readonly EditorRow[]
  staged: Staged
  onClose: () => void
}

/** Asks for the input of a bulk action and stages it. */
export function ChosenDialog({ what, ...rest }: DialogProps & { what: Asked }) {
  const Asking = DIALOGS[what]
  return <Asking {...rest} />
}

interface FrameProps {
  title: string
  /** Whether there is anything to stage. */
  isReady: boolean
  stage: () => void
  onClose: () => void
  children: ReactNode
}

function Frame({ title, isReady, stage, onClose, children }: FrameProps) {
  const m = useMessages('recordPanel')
  async function submit() {
    if (!isReady) return
    stage()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form fields={[]} onSubmit={submit}>
        {() => (
          <>
            {children}
            <FormActions>
              <Button type="submit" look="primary" isDisabled={!isReady}>
                {m.recordPanel.stage}
              </Button>
              <Button onPress={onClose}>{m.common.cancel}</Button>
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  )
}

function TtlDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('recordPanel', 'records')
  const [text, setText] = useState('1h')
  const ttl = readTtl(text)
  const stage = () => {
    if (ttl !== null) staged.change(rows.map(({ id, record }) => ({ id, record, fields: { ttl } })))
  }
  return (
    <Frame title={m.records.setTtl} isReady={ttl !== null} stage={stage} onClose={onClose}>
      <TextField
        label={m.records.ttl}
        help={ttl === null ? m.records.faults.ttlWrong : m.recordPanel.ttlHelp}
        isInvalid={ttl === null}
        autoFocus
        value={text}
        onChange={setText}
      />
    </Frame>
  )
}

function ReplaceDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('records')
  const [find, setFind] = useState('')
  const [replacement, setReplacement] = useState('')
  const concerned = find === '' ? [] : rows.filter(({ now }) => now.value.includes(find))
  const stage = () =>
    staged.change(
      concerned.map(({ id, record, now }) => ({
        id,
        record,
        fields: { value: now.value.replaceAll(find, replacement) },
      })),
    )
  return (
    <Frame title={m.records.replaceInValues} isReady={concerned.length > 0} stage={stage} onClose={onClose}>
      <TextField label={m.records.find} mono autoFocus value={find} onChange={setFind} />
      <TextField label={m.records.replaceWith} optional mono value={replacement} onChange={setReplacement} />
      <p role="status">{m.records.preview(concerned.length)}</p>
    </Frame>
  )
}

function DuplicateDialog({ rows, staged, onClose }: DialogProps) {
  const m = useMessages('recordPanel', 'records')
  const [name, setName] = useState('')
  const stage = () => staged.create(rows.map(({ now }) => ({ ...now, name: name.trim() })))
  return (
    <Frame title={m.records.duplicateAs} isReady={name.trim() !== ''} stage={stage} onClose={onClose}>
      <TextField
        label={m.records.name}
        help={m.recordPanel.nameHelp}
        mono
        autoFocus
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <p role="status">{m.records.staging.created(rows.length)}</p>
    </Frame>
  )
}

const DIALOGS = { ttl: TtlDialog, replace: ReplaceDialog, duplicate: DuplicateDialog }
