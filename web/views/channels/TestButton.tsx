import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { ConsoleApi } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Failure } from '../../ui/feedback/Failure.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'

type TestOutcome = ConsoleApi['/api/notifications/configs/{id}/test']['POST']['answer']

/** Sends a test message and shows the result. */
export function TestButton({ id }: { id: string }) {
  const m = useMessages('channels')
  const { number } = useFormats()
  const words = m.channels
  const [isPending, setPending] = useState(false)
  const [answer, setAnswer] = useState<TestOutcome | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  async function test() {
    setPending(true)
    setAnswer(null)
    setProblem(null)
    try {
      setAnswer(await api.POST('/api/notifications/configs/{id}/test', { path: { id } }))
      changed('channel')
    } catch (error) {
      setProblem(error)
    }
    setPending(false)
  }
  return (
    <div className="stack">
      <div>
        <Button icon="channel" sends isPending={isPending} onPress={() => void test()}>
          {words.test}
        </Button>
      </div>
      {problem !== null && <ProblemNote error={problem} />}
      {answer && (
        <Note tone={answer.ok ? 'good' : 'bad'} alert>
          {answer.ok ? words.testOk(number(answer.durationMs)) : words.testFailed(number(answer.durationMs))}
          {answer.error !== null && (
            <div>
              <Failure {...answer} error={answer.error} />
            </div>
          )}
        </Note>
      )}
    </div>
  )
}
