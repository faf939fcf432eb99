import type { Schemas } from '../../../api/schema.d.ts'
import { Note } from '../../../ui/feedback/Note.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Button } from '../../../ui/page/Button.tsx'
import { Bar } from '../../../ui/page/Page.tsx'
import { AddMirror } from '../AddMirror.tsx'
import { Findings } from '../Findings.tsx'
import type { DialogName } from '../late-dialogs.ts'
import { LastFailure, State } from '../State.tsx'
import { useConnectionName } from '../useConnectionName.ts'

interface StepProps {
  mirror: Schemas['Mirror']
  onOpen: (dialog: DialogName, mirror: Schemas['Mirror']) => void
}

interface MirrorStepProps {
  domain: Schemas['Domain']
  mirrors: readonly Schemas['Mirror'][]
  /** The connection to move to; undefined: not chosen yet. */
  to: string | undefined
  moveTo: (connection: string) => void
}

/** Adds the mirror at the new provider, or goes on with one that exists. */
export function MirrorStep({ domain, mirrors, to, moveTo }: MirrorStepProps) {
  const words = useMessages('mirrors').mirrors.move
  const names = useConnectionName()
  return (
    <>
      <AddMirror
        {...{ domain, mirrors }}
        proposed={to}
        onAdded={({ providerConfigId }) => moveTo(providerConfigId)}
      />
      {mirrors.length > 0 && (
        <>
          <p>{words.continues}</p>
          <Bar>
            {mirrors.map((mirror) => (
              <Button key={mirror.id} onPress={() => moveTo(mirror.providerConfigId)}>
                {words.continueWith(names.ofMirror(mirror))}
              </Button>
            ))}
            <Button onPress={() => moveTo(domain.providerConfigId)}>
              {words.finish(names.ofDomain(domain))}
            </Button>
          </Bar>
        </>
      )}
    </>
  )
}

/** Says what the mirror still lacks. */
export function WaitStep({ mirror, onOpen }: StepProps) {
  const words = useMessages('mirrors').mirrors
  const isBehind = mirror.state === 'behind'
  return (
    <>
      <Bar>
        <State mirror={mirror} />
        <span role="status">
          {mirror.state === 'differs' ? words.move.differs : words.move.waits(mirror.behind)}
        </span>
      </Bar>
      <LastFailure mirror={mirror} />
      <Findings mirror={mirror} />
      {(!isBehind || mirror.error !== null) && (
        <Bar>
          <Button look="primary" icon="sync" onPress={() => onOpen('compare', mirror)}>
            {mirror.state === 'differs' ? words.compare : words.retry}
          </Button>
        </Bar>
      )}
    </>
  )
}

export function PromoteStep({ mirror, onOpen }: StepProps) {
  const words = useMessages('mirrors').mirrors
  return (
    <>
      <p>{words.move.promoteAbout}</p>
      <Bar>
        <Button look="primary" icon="swap" onPress={() => onOpen('promote', mirror)}>
          {words.promote}
        </Button>
      </Bar>
    </>
  )
}

interface RemoveProps extends Pick<StepProps, 'onOpen'> {
  mirrors: readonly Schemas['Mirror'][]
  /** As seen from the old provider; undefined: not known yet. */
  delegation: Schemas['MirrorDelegation'] | undefined
}

/** Removes what the domain has left, once resolvers ask it no longer. */
export function RemoveStep({ mirrors, delegation, onOpen }: RemoveProps) {
  const words = useMessages('mirrors').mirrors
  const names = useConnectionName()
  const isStillUsed = delegation?.state === 'mirror' || delegation?.state === 'both'
  return (
    <>
      <p>{words.move.removeAbout}</p>
      {isStillUsed && <Note tone="warn">{words.move.stillOld}</Note>}
      {mirrors.map((mirror) => (
        <Bar key={mirror.id}>
          <strong>{names.ofMirror(mirror)}</strong>
          <State mirror={mirror} />
          <Button look="primary" icon="trash" onPress={() => onOpen('remove', mirror)}>
            {words.removeAction}
          </Button>
        </Bar>
      ))}
    </>
  )
}
