import { ApiProblem } from '../../../api/problems.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { Originals, SaidText } from '../../../ui/feedback/ReasonList.tsx'
import { useReasons } from '../../../ui/feedback/reasons.ts'

/** Errors with links to their lines; other problems as usual. */
export function LineFaults({ error, onLine }: { error: unknown; onLine: (line: number) => void }) {
  const m = useMessages('zoneFiles')
  const say = useReasons()
  const faults = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  const lines = faults.filter(({ params }) => typeof params?.['line'] === 'number')
  const told = lines.map(({ code, message, params }) => ({
    line: Number(params?.['line']),
    message,
    said: say({ code, params, text: message }),
  }))
  if (lines.length === 0) return <ProblemNote error={error} />
  return (
    <Note tone="bad" alert>
      <ul>
        {told.map(({ line, message, said }) => (
          <li key={message}>
            <Button look="link" onPress={() => onLine(line)}>
              {m.zoneFiles.paste.line(line)}
            </Button>{' '}
            <SaidText said={said} />
          </li>
        ))}
      </ul>
      <Originals texts={told.flatMap(({ said }) => said.original ?? [])} />
    </Note>
  )
}
