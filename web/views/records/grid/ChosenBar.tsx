import { Suspense, useState } from 'react'
import { asCsv } from '../../../zone/table.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { lazyPart } from '../../../ui/lazyPart.ts'
import { Bar } from '../../../ui/page/Page.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'
import type { Asked } from './ChosenDialog.tsx'
import { asZoneLine } from '../zone-files/zone-text.ts'
import type { EditorRow } from '../model.ts'
import type { Staged } from '../review/staged.ts'

const ChosenDialog = lazyPart(() => import('./ChosenDialog.tsx'), 'ChosenDialog', ['recordPanel', 'records'])

interface ChosenProps {
  rows: readonly EditorRow[]
  staged: Staged
  domain: string
  /** Why a row is locked; locked rows are skipped. */
  lockOf: (row: EditorRow) => string | null
  onClear: () => void
}

/** Bulk actions on selected records; all are staged. */
export function ChosenBar({ rows, staged, domain, lockOf, onClear }: ChosenProps) {
  const m = useMessages('records')
  const [dialog, setDialog] = useState<Asked | null>(null)
  const editable = rows.filter((row) => row.edit?.kind !== 'delete' && lockOf(row) === null)
  const hasNone = editable.length === 0
  async function copy(text: string) {
    await navigator.clipboard.writeText(text)
    toast(m.common.copied)
  }
  return (
    <Bar>
      <strong role="status">{m.records.chosenCount(rows.length)}</strong>
      <Button isDisabled={hasNone} onPress={() => setDialog('ttl')}>
        {m.records.setTtl}
      </Button>
      <Button isDisabled={hasNone} onPress={() => setDialog('replace')}>
        {m.records.replaceInValues}
      </Button>
      <Button isDisabled={hasNone} onPress={() => setDialog('duplicate')}>
        {m.records.duplicateAs}
      </Button>
      {'clipboard' in navigator && (
        <>
          <Button
            icon="copy"
            onPress={() => void copy(rows.map(({ now }) => asZoneLine(now, domain)).join('\n'))}
          >
            {m.records.copyLines}
          </Button>
          <Button icon="copy" onPress={() => void copy(asCsv(rows.map(({ now }) => now)))}>
            {m.records.copyCsv}
          </Button>
        </>
      )}
      <Button
        icon="trash"
        isDisabled={hasNone}
        onPress={() => {
          staged.remove(editable)
          onClear()
        }}
      >
        {m.records.remove}
      </Button>
      <Button look="plain" onPress={onClear}>
        {m.common.clear}
      </Button>
      <Suspense>
        {dialog !== null && (
          <ChosenDialog what={dialog} rows={editable} staged={staged} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </Bar>
  )
}
