import { useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../../ui/language.tsx'
import type { MenuAction } from '../../../ui/page/Menu.tsx'
import type { EditorRow } from '../model.ts'
import type { Staged } from '../review/staged.ts'

interface Options {
  domainId: string
  staged: Staged
  onOpen: (row: EditorRow) => void
  lockOf: (row: EditorRow) => string | null
}

/** Menu actions of a row. */
export function useRowActions({
  domainId,
  staged,
  onOpen,
  lockOf,
}: Options): (row: EditorRow) => MenuAction[] {
  const m = useMessages('records')
  const navigate = useNavigate()
  return (row) => {
    const isLocked = lockOf(row) !== null
    const { id, record, now, edit } = row
    return [
      { id: 'edit', text: m.records.edit, icon: 'edit', isDisabled: isLocked, onAction: () => onOpen(row) },
      {
        id: 'duplicate',
        text: m.records.duplicate,
        icon: 'copy',
        isDisabled: isLocked,
        onAction: () => staged.create([now]),
      },
      {
        id: 'publish',
        text: now.enabled ? m.records.disable : m.records.enable,
        isDisabled: isLocked,
        onAction: () => staged.change([{ id, record, fields: { enabled: !now.enabled } }]),
      },
      ...(record
        ? [
            {
              id: 'history',
              text: m.records.history,
              icon: 'history' as const,
              onAction: () =>
                void navigate({
                  to: '/domains/$id/history',
                  params: { id: domainId },
                  search: { name: record.name, type: record.recordType },
                }),
            },
          ]
        : []),
      ...(edit
        ? [
            {
              id: 'drop',
              text: m.records.discardEdit,
              icon: 'undo' as const,
              onAction: () => staged.drop([id]),
            },
          ]
        : []),
      {
        id: 'delete',
        text: m.records.remove,
        icon: 'trash',
        danger: true,
        isDisabled: isLocked || edit?.kind === 'delete',
        onAction: () => staged.remove([{ id, record }]),
      },
    ]
  }
}
