import type { Schemas } from '../../api/schema.d.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Button } from '../../ui/page/Button.tsx'
import { Bar, Card, Facts } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'
import { Findings } from './Findings.tsx'
import type { DialogName } from './late-dialogs.ts'
import { LastFailure, State } from './State.tsx'

interface MirrorCardProps {
  mirror: Schemas['Mirror']
  /** Of its connection. */
  name: string
  /** May sync it. */
  mayWrite: boolean
  /** May promote and remove it. */
  mayManage: boolean
  onOpen: (dialog: DialogName) => void
}

/** One mirror: its state, what its provider can't hold, and what the user may do. */
export function MirrorCard({ mirror, name, mayWrite, mayManage, onOpen }: MirrorCardProps) {
  const m = useMessages('mirrors')
  const words = m.mirrors
  const { ago, moment, number } = useFormats()
  const { state, behindSince, appliedAt, comparedAt, nextTry, differences, nameServers } = mirror
  const isWaiting = state === 'behind' || state === 'failed'
  const when = (at: string | null) => (at === null ? m.common.never : m.common.beside(moment(at), ago(at)))
  /** Otherwise it is not known when it last had every record. */
  const isSame = !mirror.findings.some(({ missing }) => missing) && (differences ?? 0) === 0
  const lastInStep = isWaiting ? when(appliedAt === null ? null : behindSince) : words.now
  return (
    <Card title={name} actions={<State mirror={mirror} />}>
      <p className="muted">{words.zoneAt(visible(mirror.providerName), visible(mirror.zoneId))}</p>
      <LastFailure mirror={mirror} />
      <Facts
        facts={[
          ...(isSame ? [fact(words.lastInStep, lastInStep)] : []),
          [words.applied, when(appliedAt)],
          [words.compared, when(comparedAt)],
          [words.differences, differences === null ? words.notCompared : number(differences)],
          ...(nextTry === null ? [] : [fact(words.next, when(nextTry))]),
          [
            words.nameServers,
            nameServers.length === 0 ? words.unknownServers : visible(nameServers.join(' ')),
          ],
        ]}
      />
      <Findings mirror={mirror} />
      {(mayWrite || mayManage) && (
        <Bar>
          {mayWrite && (
            <Button icon="sync" onPress={() => onOpen('compare')}>
              {isWaiting ? words.retry : words.compare}
            </Button>
          )}
          {mayManage && (
            <Button icon="swap" onPress={() => onOpen('promote')}>
              {words.promote}
            </Button>
          )}
          {mayManage && (
            <Button icon="trash" onPress={() => onOpen('remove')}>
              {words.remove}
            </Button>
          )}
        </Bar>
      )}
    </Card>
  )
}

const fact = (title: string, value: string): [string, string] => [title, value]
