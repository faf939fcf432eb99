import type { Schemas } from '../../api/schema.d.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Copied } from '../../ui/page/Page.tsx'

/** Steps at the registrar after a switch, in order; stays until confirmed. */
export function Switched({
  answer,
  onClose,
}: {
  answer: Pick<Schemas['SwitchAnswer'], 'dsToRemove' | 'nameServers' | 'dsToSet'>
  onClose: () => void
}) {
  const m = useMessages('domainSettings')
  const words = m.domainSettings.move
  const { dsToRemove, nameServers, dsToSet } = answer
  return (
    <Dialog
      stays
      title={words.done}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {words.close}
        </Button>
      }
    >
      <Step texts={dsToRemove} known={words.dsToRemove} unknown={words.dsUnknown} />
      <Step
        texts={nameServers.length > 0 ? nameServers : null}
        known={words.nameServers}
        unknown={words.noServers}
      />
      <Step texts={dsToSet} known={words.dsToSet} unknown={words.dsToSetUnknown} />
    </Dialog>
  )
}

/** Null: the provider doesn't tell. Empty: nothing to do. */
function Step({
  texts,
  known,
  unknown,
}: {
  texts: readonly string[] | null
  known: string
  unknown: string
}) {
  if (texts === null) return <p>{unknown}</p>
  if (texts.length === 0) return null
  return (
    <>
      <p>{known}</p>
      {texts.map((text) => (
        <Copied key={text} label={known} text={text} />
      ))}
    </>
  )
}
