import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live/live.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { useMayWriteAll } from '../../../ui/hooks/useMayWriteAll.ts'

/** Note about a zone that was never imported, with a button to import it. */
export function NeverRead({ domain }: { domain: Schemas['Domain'] }) {
  const m = useMessages('zoneFiles')
  const words = m.zoneFiles.neverRead
  const mayRead = useMayWriteAll(domain)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)

  async function read() {
    setPending(true)
    setProblem(null)
    try {
      await api.POST('/api/domains/{id}/sync', { path: { id: domain.id } })
      changed('domain', domain.id)
      changed('record', domain.id)
    } catch (failure) {
      setProblem(failure)
    }
    setPending(false)
  }
  return (
    <>
      {problem !== null && <ProblemNote error={problem} />}
      <Note
        tone="warn"
        {...(mayRead && {
          actions: (
            <Button icon="sync" sends isPending={isPending} onPress={() => void read()}>
              {words.read}
            </Button>
          ),
        })}
      >
        {words.text}
      </Note>
    </>
  )
}
