import { ApiProblem } from '../../api/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useReasons, type SaidReason } from '../../ui/reasons.ts'

/** Faults of lines, each leading to its line; anything else as usual. */
export function LineFaults({ error, onLine }: { error: unknown; onLine: (line: number) => void }) {
  const m = useMessages('records')
  const say = useReasons()
  const faults = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
  const lines = faults.filter(({ params }) => typeof params?.['line'] === 'number')
  if (lines.length === 0) return <ProblemNote error={error} />
  return (
    <Note tone="bad" alert>
      <ul>
        {lines.map(({ code, message, params }) => (
          <li key={message}>
            <Button look="link" onPress={() => onLine(Number(params?.['line']))}>
              {m.records.paste.line(Number(params?.['line']))}
            </Button>{' '}
            <LineFault said={say({ code, params, text: message })} />
          </li>
        ))}
      </ul>
    </Note>
  )
}

/** What is wrong with a line is in the service's words alone. */
const LineFault = ({ said: { text, original } }: { said: SaidReason }) => (
  <>
    {text} {original !== null && <span lang="en">{original}</span>}
  </>
)
