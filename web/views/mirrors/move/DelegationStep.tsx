import type { Schemas } from '../../../api/schema.d.ts'
import { Note } from '../../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { useFormats, useMessages } from '../../../ui/language.tsx'
import { Button } from '../../../ui/page/Button.tsx'
import { Bar, Copied } from '../../../ui/page/Page.tsx'
import { visible } from '../../../ui/visible.ts'
import { isSilent } from './move-state.ts'

interface DelegationProps {
  mirror: Schemas['Mirror']
  delegation: {
    data: Schemas['MirrorDelegation'] | undefined
    error: unknown
    isFetching: boolean
    refetch: () => unknown
  }
  /** Goes on without the word of the parent zone. */
  onUnchecked: () => void
}

/** The name servers to set at the registrar, and what the parent zone says. */
export function DelegationStep({ mirror, delegation, onUnchecked }: DelegationProps) {
  const m = useMessages('mirrors')
  const words = m.mirrors.move
  const { list } = useFormats()
  const { data: seen, error, isFetching, refetch } = delegation
  const { nameServers } = mirror
  return (
    <>
      <p>{nameServers.length > 0 ? words.set : m.mirrors.unknownServers}</p>
      {nameServers.map((name) => (
        <Copied key={name} label={m.mirrors.nameServers} text={visible(name)} />
      ))}
      {error !== null && <ProblemNote error={error} retry={() => void refetch()} />}
      {seen && (
        <div role="status">
          <Note tone="info">
            {seen.state === 'unknown' && words.unknownParent}
            {seen.state === 'none' && words.noParent}
            {seen.parent.length > 0 && words.parent(list(seen.parent.map(visible)))}
            {seen.state === 'both' && ` ${words.bothParent}`}
          </Note>
        </div>
      )}
      <p className="muted">{words.every}</p>
      <Bar>
        <Button look="primary" icon="sync" sends isPending={isFetching} onPress={() => void refetch()}>
          {words.again}
        </Button>
        {seen && isSilent(seen) && <Button onPress={onUnchecked}>{words.unchecked}</Button>}
      </Bar>
    </>
  )
}
